package dev.ttlstore.spring.documents;

import java.lang.reflect.RecordComponent;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.ClassUtils;
import org.springframework.util.unit.DataSize;

import dev.ttlstore.spring.autoconfigure.StoreProperties;
import dev.ttlstore.spring.cache.StoreCacheManagerProperties;
import dev.ttlstore.spring.documents.Metadata.Property;

/** Makes the tables of the page about properties from the metadata, and of what an entry of a map can be set to from its record. */
final class PropertiesPage {

    private static final Map<String, String> UNITS = Map.of(
            Boolean.class.getName(),
            "`true`, `false`",
            Duration.class.getName(),
            "duration",
            DataSize.class.getName(),
            "size",
            Integer.class.getName(),
            "number",
            Long.class.getName(),
            "number",
            Instant.class.getName(),
            "time",
            String.class.getName(),
            "text",
            "java.util.List<java.lang.String>",
            "list",
            "java.util.Set<java.lang.Integer>",
            "numbers");

    /** A part of the page: its heading, the page that explains it, and the names of its properties. */
    private record Section(String heading, String page, List<String> prefixes) {

        private boolean has(String name) {
            return prefixes.stream().anyMatch(prefix -> name.equals(prefix) || name.startsWith(prefix + "."));
        }
    }

    private static final List<Section> SECTIONS = List.of(
            section("Groups and scopes", "groups-and-values", "store.groups", "store.scopes"),
            section("Expiry", "expiry", "store.expiry"),
            section("Purge job", "stores", "store.purge", "store.purge-interval"),
            section("Events", "events", "store.events"),
            section("Encryption", "encryption", "store.encryption"),
            section("Backups", "backups", "store.backup"),
            section("Sessions", "sessions", "store.session"),
            section("Caches", "caches", "store.cache-manager"),
            section(
                    "Spring Security",
                    "security",
                    "store.one-time-tokens",
                    "store.remember-me",
                    "store.authorizations",
                    "store.authorization-consents",
                    "store.authorized-clients",
                    "store.oidc-sessions"),
            section("Rate limits", "rate-limits", "store.rate-limits"),
            section("Locks", "locks", "store.lock-provider", "store.lock-registry"),
            section("Idempotent requests", "idempotent-requests", "store.idempotency"),
            section(
                    "Integration and AI",
                    "integration-and-ai",
                    "store.metadata-store",
                    "store.message-store",
                    "store.chat-memory"),
            section("PostgreSQL", "several-instances", "store.postgresql"),
            section("File", "stores", "store.sqlite", "store.near-cache"),
            section("Tests", "testing", "store.test"),
            section("Observability", "observability", "management", "store.observations"),
            section("The store", "stores", "store"));

    private final List<String> texts = sources();

    private static Section section(String heading, String page, String... prefixes) {
        return new Section(heading, page, List.of(prefixes));
    }

    /** Returns the tables, the general settings first. */
    String tables() {
        Map<Section, List<Property>> rows = Stream.concat(
                        new Metadata().properties().stream().filter(property -> !property.type()
                                .startsWith("java.util.Map")),
                        ofEntries())
                .collect(Collectors.groupingBy(PropertiesPage::sectionOf));
        List<Section> inOrder = new ArrayList<>(SECTIONS);
        inOrder.add(0, inOrder.remove(inOrder.size() - 1));
        StringBuilder page = new StringBuilder();
        for (Section section : inOrder) {
            page.append("\n## ").append(section.heading).append("\n\n");
            page.append("Explained in [")
                    .append(heading(section.page))
                    .append("](")
                    .append(section.page)
                    .append(".md).\n\n");
            page.append("| Property | Default | Value | Meaning |\n|---|---|---|---|\n");
            rows.getOrDefault(section, List.of()).forEach(property -> page.append(row(property)));
        }
        return page.append('\n').toString();
    }

    private static Section sectionOf(Property property) {
        return SECTIONS.stream()
                .filter(section -> section.has(property.name()))
                .findFirst()
                .orElseThrow();
    }

    static String heading(String page) {
        String text = GeneratedTable.read(Path.of("docs", page + ".md"));
        return text.substring(2, text.indexOf('\n'));
    }

    private static String row(Property property) {
        return "| `%s` | %s | %s | %s |\n"
                .formatted(
                        property.name(),
                        property.value().isEmpty() ? "" : "`" + property.value() + "`",
                        unit(property),
                        property.meaning().replaceAll("'([^' ]+)'", "`$1`").replace("|", "\\|"));
    }

    private static String unit(Property property) {
        if (property.isEnum()) {
            return Stream.of(ClassUtils.resolveClassName(property.type(), null).getEnumConstants())
                    .map(constant -> "`" + kebab(((Enum<?>) constant).name().toLowerCase(Locale.ROOT)) + "`")
                    .collect(Collectors.joining(", "));
        }
        String unit = UNITS.get(property.type());
        if (unit == null) {
            throw new IllegalStateException(
                    "Give " + property.type() + ", the type of " + property.name() + ", a unit");
        }
        return unit;
    }

    /** Settings of entries of maps, of which the metadata has only the maps. */
    private Stream<Property> ofEntries() {
        return Stream.of(
                        of("store.groups.<name>", StoreProperties.Group.class),
                        of("store.scopes.<namespace>.quota", StoreProperties.Quota.class),
                        of("store.cache-manager.caches.<name>", StoreCacheManagerProperties.Cache.class))
                .flatMap(List::stream);
    }

    private List<Property> of(String prefix, Class<? extends Record> settings) {
        List<Property> properties = new ArrayList<>();
        for (RecordComponent component : settings.getRecordComponents()) {
            // The annotation stands at the parameter of the constructor.
            DefaultValue value = settings.getDeclaredConstructors()[0].getParameters()[properties.size()].getAnnotation(
                    DefaultValue.class);
            properties.add(new Property(
                    prefix + "." + kebab(component.getName()),
                    ClassUtils.resolvePrimitiveIfNecessary(component.getType()).getName(),
                    value == null ? "" : String.join(",", value.value()),
                    meaning(settings, component.getName())));
        }
        return properties;
    }

    /** Returns what the Javadoc of a record says of a component. */
    private String meaning(Class<?> settings, String component) {
        Pattern comment = Pattern.compile(
                "/\\*\\*((?:(?!\\*/).)*?)\\*/\\s+public record " + settings.getSimpleName() + "\\(", Pattern.DOTALL);
        for (String text : texts) {
            Matcher found = comment.matcher(text);
            if (found.find()) {
                Matcher tag = Pattern.compile("@param " + component + " (.*?)(?=@param|$)", Pattern.DOTALL)
                        .matcher(found.group(1));
                if (tag.find()) {
                    return tag.group(1).replaceAll("\\s*\\n\\s*\\*?\\s*", " ").strip();
                }
            }
        }
        throw new IllegalStateException(settings + " has no description of " + component);
    }

    private static List<String> sources() {
        return Stream.of(StoreProperties.class, StoreCacheManagerProperties.class)
                .map(type -> GeneratedTable.read(
                        Path.of("src/main/java", type.getName().replace('.', '/') + ".java")))
                .toList();
    }

    private static String kebab(String name) {
        return name.replaceAll("([A-Z])", "-$1").replace('_', '-').toLowerCase(Locale.ROOT);
    }
}
