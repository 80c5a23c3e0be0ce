package dev.ttlstore.sample.docs;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URL;
import java.time.Duration;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.BindHandler;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.bind.handler.NoUnboundElementsBindHandler;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;
import org.springframework.boot.convert.ApplicationConversionService;
import org.springframework.core.ResolvableType;
import org.springframework.util.ClassUtils;

import dev.ttlstore.spring.autoconfigure.StoreProperties;
import dev.ttlstore.spring.cache.StoreCacheManagerProperties;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The properties that the libraries on the class path declare, ours among them. */
final class ConfigurationMetadata {

    /** The maps among our properties, with an example of the settings of an entry. */
    private static final Map<String, Class<?>> ENTRIES = Map.of(
            "store.groups", StoreProperties.Group.class,
            "store.scopes", StoreProperties.Scope.class,
            "store.cache-manager.caches", StoreCacheManagerProperties.Cache.class);

    /** The sources of the starter, which have the names of its meters in quotes. */
    private static final String METERS = Document.files(".java").stream()
            .filter(file -> file.toString().replace('\\', '/').contains("/store-spring-boot-starter/src/main/"))
            .map(Document::read)
            .collect(Collectors.joining());

    private final Map<String, String> types = new TreeMap<>();

    ConfigurationMetadata() {
        try {
            for (URL file : Collections.list(
                    getClass().getClassLoader().getResources("META-INF/spring-configuration-metadata.json"))) {
                try (InputStream metadata = file.openStream()) {
                    for (JsonNode property :
                            JsonMapper.shared().readTree(metadata).path("properties")) {
                        types.put(
                                property.get("name").asString(),
                                property.path("type").asString("java.lang.String"));
                    }
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns why a setting would have no effect or fail the start, or null if it is fine. */
    @Nullable
    String problem(String name, String value) {
        String plain = name.replaceAll("\\[\\d+]", "");
        Optional<Map.Entry<String, Class<?>>> map = ENTRIES.entrySet().stream()
                .filter(section -> plain.startsWith(section.getKey() + ".") || plain.startsWith(section.getKey() + "["))
                .findFirst();
        if (map.isPresent()) {
            return problemOfEntry(map.get().getKey(), map.get().getValue(), name, value);
        }
        String type = types.get(plain);
        if (type == null) {
            return isKnown(plain) || !isOfKnownModule(plain) ? null : "there is no property " + plain;
        }
        return value.isEmpty() || value.contains("${") ? null : problemOfValue(plain, value, type);
    }

    /** Returns whether a name is that of a property. */
    boolean isProperty(String name) {
        return types.containsKey(name);
    }

    /** Returns whether nothing has this name, although the libraries on the class path would declare it. */
    boolean isMissing(String name) {
        return !isKnown(name) && isOfKnownModule(name);
    }

    /** Returns whether a name is that of a property, of a section, or of a setting of an entry of a map. */
    private boolean isKnown(String name) {
        return types.keySet().stream().anyMatch(known -> known.equals(name) || known.startsWith(name + "."))
                || isOfMap(name)
                || METERS.contains('"' + name + '"')
                || ENTRIES.keySet().stream().anyMatch(section -> name.startsWith(section + "."));
    }

    /** Returns whether a library on the class path declares properties that begin as this one, so that it knows all of them. */
    private boolean isOfKnownModule(String name) {
        String[] elements = name.split("\\.");
        String start = elements[0].equals("store") || elements.length < 3
                ? elements[0] + "."
                : elements[0] + "." + elements[1] + ".";
        return types.keySet().stream().anyMatch(known -> known.startsWith(start));
    }

    private boolean isOfMap(String name) {
        return types.entrySet().stream()
                .anyMatch(
                        known -> known.getValue().startsWith("java.util.Map") && name.startsWith(known.getKey() + "."));
    }

    private static @Nullable String problemOfValue(String name, String value, String type) {
        Class<?> target = type.contains("<")
                ? null
                : ClassUtils.isPresent(type, null) ? ClassUtils.resolveClassName(type, null) : null;
        if (target == null || target == Duration.class && value.equals("-")) {
            return null;
        }
        try {
            ApplicationConversionService.getSharedInstance().convert(value, target);
            return null;
        } catch (RuntimeException e) {
            return name + " cannot be '" + value + "': " + e.getMessage();
        }
    }

    private static @Nullable String problemOfEntry(String section, Class<?> settings, String name, String value) {
        Binder binder = new Binder(new MapConfigurationPropertySource(Map.of(name, value)));
        try {
            ResolvableType type = ResolvableType.forClassWithGenerics(Map.class, String.class, settings);
            binder.bind(section, Bindable.of(type), new NoUnboundElementsBindHandler(BindHandler.DEFAULT));
            return null;
        } catch (RuntimeException e) {
            return name + ": " + e.getMessage() + ", " + e.getCause();
        }
    }
}
