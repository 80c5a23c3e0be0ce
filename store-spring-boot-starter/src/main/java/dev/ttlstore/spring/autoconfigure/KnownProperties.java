package dev.ttlstore.spring.autoconfigure;

import java.lang.reflect.Parameter;
import java.lang.reflect.ParameterizedType;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DataObjectPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName.Form;

/**
 * The property names that the {@link PropertyRecords} bind. They come from their constructors, as in Spring Boot's
 * binding, so a new property is known here at once.
 */
final class KnownProperties {

    static final ConfigurationPropertyName ROOT = ConfigurationPropertyName.of("store");

    /** Former names, which no longer have an effect, and their replacements. */
    private static final Map<ConfigurationPropertyName, ConfigurationPropertyName> RENAMED = Map.of(
            ConfigurationPropertyName.of("store.cache.max-size"),
            ConfigurationPropertyName.of("store.near-cache.max-size"));

    private final List<Setting> settings = new ArrayList<>();

    /** The settings of each entry, by section, such as 'store.groups'. */
    private final Map<ConfigurationPropertyName, List<Setting>> settingsOfEntries = new LinkedHashMap<>();

    KnownProperties() {
        PropertyRecords.byPrefix().forEach((prefix, type) -> collect(type, prefix, settings));
    }

    /** A setting. Its name is relative to the root, or to an entry of a section. */
    private record Setting(String name, boolean isDuration) {}

    private void collect(Class<?> type, String prefix, List<Setting> found) {
        for (Parameter parameter : type.getDeclaredConstructors()[0].getParameters()) {
            String name = prefix + DataObjectPropertyName.toDashedForm(parameter.getName());
            if (parameter.getType() == Map.class) {
                ParameterizedType map = (ParameterizedType) parameter.getParameterizedType();
                List<Setting> ofEntry = new ArrayList<>();
                collect((Class<?>) map.getActualTypeArguments()[1], "", ofEntry);
                settingsOfEntries.put(ROOT.append(name), ofEntry);
            } else if (parameter.getType().isRecord()) {
                collect(parameter.getType(), name + ".", found);
            } else {
                found.add(new Setting(name, parameter.getType() == Duration.class));
            }
        }
    }

    /** Returns the durations with a fixed name, so not those of single groups. */
    Stream<ConfigurationPropertyName> durations() {
        return settings.stream().filter(Setting::isDuration).map(setting -> ROOT.append(setting.name()));
    }

    /** Returns the names in a section with a fixed name. */
    Stream<ConfigurationPropertyName> in(ConfigurationPropertyName section) {
        return settings.stream().map(setting -> ROOT.append(setting.name())).filter(section::isAncestorOf);
    }

    /** Returns the current name for a former one, or null if it is not a former name. */
    @Nullable
    ConfigurationPropertyName renamed(ConfigurationPropertyName name) {
        return RENAMED.entrySet().stream()
                .filter(former -> EnvironmentNames.isSame(former.getKey(), name))
                .map(Map.Entry::getValue)
                .findFirst()
                .orElse(null);
    }

    /** Returns whether a name denotes one group, scope or cache, which has settings but no value. */
    boolean isEntry(ConfigurationPropertyName name) {
        ConfigurationPropertyName section = section(name);
        return section != null && name.getNumberOfElements() == elements(section) + 1;
    }

    /** Returns whether a name denotes all groups, one group, all scopes, one scope and so on. */
    boolean isSectionOrEntry(ConfigurationPropertyName name) {
        ConfigurationPropertyName section = section(name);
        return section != null && name.getNumberOfElements() <= elements(section) + 1;
    }

    /** Returns the names of the settings of a group or a scope, depending on the section of the name. */
    List<String> settingsOfEntry(ConfigurationPropertyName name) {
        return ofEntry(name).stream().map(Setting::name).toList();
    }

    private List<Setting> ofEntry(ConfigurationPropertyName name) {
        ConfigurationPropertyName section = section(name);
        return section == null ? List.of() : settingsOfEntries.getOrDefault(section, List.of());
    }

    /** Lists the settings of one group, of one scope and so on, in a sentence for each. */
    String describeEntries() {
        return settingsOfEntries.entrySet().stream()
                .map(section -> "The settings in '" + section.getKey() + ".<name>' are "
                        + section.getValue().stream()
                                .map(setting -> "'" + setting.name() + "'")
                                .collect(Collectors.joining(", "))
                        + ".")
                .collect(Collectors.joining(" "));
    }

    /** Returns whether a name is a setting of one group, scope or cache. */
    boolean isOfEntry(ConfigurationPropertyName name) {
        ConfigurationPropertyName section = section(name);
        return section != null && name.getNumberOfElements() > elements(section) + 1;
    }

    /** Returns whether a name is in one of the sections that declare groups, scopes and caches. */
    boolean isDeclaration(ConfigurationPropertyName name) {
        return section(name) != null;
    }

    /** Returns the section that a name is in and that declares groups, scopes or caches; null if it is in none of them. */
    @Nullable
    ConfigurationPropertyName section(ConfigurationPropertyName name) {
        return settingsOfEntries.keySet().stream()
                .filter(section -> section.equals(name) || section.isAncestorOf(name))
                .findFirst()
                .orElse(null);
    }

    private static int elements(ConfigurationPropertyName section) {
        return section.getNumberOfElements();
    }

    boolean isDuration(ConfigurationPropertyName name) {
        Setting setting = find(name, UnaryOperator.identity());
        return setting != null && setting.isDuration();
    }

    boolean isKnown(ConfigurationPropertyName name) {
        return find(name, UnaryOperator.identity()) != null;
    }

    /**
     * Like {@link #isKnown}, for an environment variable: an underscore may stand for a dot or a hyphen, or be left
     * out.
     */
    boolean isKnownInEnvironment(ConfigurationPropertyName name) {
        return find(name, text -> text.replace(".", "")) != null;
    }

    private @Nullable Setting find(ConfigurationPropertyName name, UnaryOperator<String> form) {
        String sought = form.apply(uniform(name.subName(prefix(name).getNumberOfElements())));
        return settings(name).stream()
                .filter(setting -> form.apply(setting.name().replace("-", "")).equals(sought))
                .findFirst()
                .orElse(null);
    }

    /** Returns what the names of the settings are relative to: an entry, or the root. */
    private ConfigurationPropertyName prefix(ConfigurationPropertyName name) {
        ConfigurationPropertyName section = section(name);
        return section != null && isOfEntry(name) ? name.chop(elements(section) + 1) : ROOT;
    }

    /** Returns the known name with the most similar spelling. */
    ConfigurationPropertyName nearest(ConfigurationPropertyName name) {
        return Stream.concat(settings(name).stream().map(setting -> named(setting, name)), inNearSection(name))
                .min(Comparator.comparingInt(known -> distance(name, known)))
                .orElseThrow();
    }

    /** Returns the settings of the section that a name is in, such as those in 'store.session'; none if it is in no section. */
    List<ConfigurationPropertyName> inSectionOf(ConfigurationPropertyName name) {
        return name.getNumberOfElements() < 3 ? List.of() : in(name.chop(2)).toList();
    }

    /**
     * Returns whether a name is likely a misspelling of the nearest known name, and not another program's property.
     */
    boolean isMisspelt(ConfigurationPropertyName name) {
        ConfigurationPropertyName nearest = nearest(name);
        int length = nearest.toString().length() - ROOT.toString().length() - 1;
        return Spelling.isNear(distance(name, nearest), length);
    }

    private List<Setting> settings(ConfigurationPropertyName name) {
        return isOfEntry(name) ? ofEntry(name) : settings;
    }

    private ConfigurationPropertyName named(Setting setting, ConfigurationPropertyName like) {
        return prefix(like).append(setting.name());
    }

    /** Returns the same name in a section that differs by one character, as 'group' differs from 'groups'. */
    private Stream<ConfigurationPropertyName> inNearSection(ConfigurationPropertyName name) {
        return settingsOfEntries.keySet().stream()
                .filter(section -> name.getNumberOfElements() > elements(section)
                        && distance(name.chop(elements(section)), section) == 1)
                .map(section -> section.append(name.subName(elements(section))));
    }

    /**
     * Returns a name without hyphens, case and list indexes. Spring Boot compares names without hyphens and case,
     * too.
     */
    private static String uniform(ConfigurationPropertyName name) {
        return String.join(
                ".",
                IntStream.range(0, name.getNumberOfElements())
                        .filter(i -> !name.isNumericIndex(i))
                        .mapToObj(i -> name.getElement(i, Form.UNIFORM).toLowerCase(Locale.ROOT))
                        .toList());
    }

    private static int distance(ConfigurationPropertyName one, ConfigurationPropertyName other) {
        return Spelling.distance(one.toString(), other.toString());
    }
}
