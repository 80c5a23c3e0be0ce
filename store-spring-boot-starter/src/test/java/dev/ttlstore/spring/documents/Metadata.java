package dev.ttlstore.spring.documents;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

import org.springframework.util.ClassUtils;

import dev.ttlstore.spring.autoconfigure.StoreProperties;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The metadata of the starter's properties, as the build has made it. */
final class Metadata {

    private final JsonNode root;

    Metadata() {
        try (InputStream file =
                StoreProperties.class.getResourceAsStream("/META-INF/spring-configuration-metadata.json")) {
            root = JsonMapper.shared().readTree(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * A property that can be set.
     *
     * @param name the name
     * @param type the name of its Java type
     * @param value its default, or an empty text
     * @param meaning its description
     */
    record Property(String name, String type, String value, String meaning) {

        boolean isEnum() {
            return ClassUtils.isPresent(type, null)
                    && ClassUtils.resolveClassName(type, null).isEnum();
        }
    }

    List<Property> properties() {
        List<Property> properties = new ArrayList<>();
        for (JsonNode property : root.get("properties")) {
            if (!property.has("deprecation")) {
                properties.add(new Property(
                        property.get("name").asString(),
                        property.get("type").asString(),
                        property.path("defaultValue").asString(""),
                        property.path("description").asString("")));
            }
        }
        properties.sort(Comparator.comparing(Property::name));
        return properties;
    }

    /** Returns the values that an editor offers for a property. */
    List<String> offered(String property) {
        List<String> offered = new ArrayList<>();
        for (JsonNode hint : root.get("hints")) {
            if (hint.get("name").asString().equals(property)) {
                hint.path("values")
                        .forEach(value -> offered.add(value.get("value").asString()));
            }
        }
        return offered;
    }

    /** Returns the names of what an editor asks for more values of a property. */
    List<String> providers(String property) {
        List<String> providers = new ArrayList<>();
        for (JsonNode hint : root.get("hints")) {
            if (hint.get("name").asString().equals(property)) {
                hint.path("providers")
                        .forEach(provider -> providers.add(provider.get("name").asString()));
            }
        }
        return providers;
    }
}
