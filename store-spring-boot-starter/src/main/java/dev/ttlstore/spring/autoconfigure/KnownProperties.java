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
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DataObjectPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName.Form;

/**
 * The names that {@link StoreProperties} binds. They are read from its constructors, as Spring Boot does when it binds, so a
 * property that is added there is known here.
 */
final class KnownProperties {

    static final ConfigurationPropertyName ROOT = ConfigurationPropertyName.of("store");

    /** Of the name of a setting of one group: root, section, name of the group. */
    static final int ENTRY_ELEMENTS = 3;

    /** Former names, by which nothing is set any more. */
    private static final Map<ConfigurationPropertyName, ConfigurationPropertyName> RENAMED = Map.of(
            ConfigurationPropertyName.of("store.cache.max-size"),
            ConfigurationPropertyName.of("store.near-cache.max-size"));

    private final List<Setting> settings = new ArrayList<>();

    /** By section, such as 'groups': the settings that each of its entries has. */
    private final Map<String, List<Setting>> settingsOfEntries = new LinkedHashMap<>();

    KnownProperties() {
        collect(StoreProperties.class, "", settings);
    }

    /** A name, relative to the root or to an entry of a section. */
    private record Setting(String name, boolean isDuration) {}

    private void collect(Class<?> type, String prefix, List<Setting> found) {
        for (Parameter parameter : type.getDeclaredConstructors()[0].getParameters()) {
            String name = prefix + DataObjectPropertyName.toDashedForm(parameter.getName());
            if (parameter.getType() == Map.class) {
                ParameterizedType map = (ParameterizedType) parameter.getParameterizedType();
                List<Setting> ofEntry = new ArrayList<>();
                collect((Class<?>) map.getActualTypeArguments()[1], "", ofEntry);
                settingsOfEntries.put(name, ofEntry);
            } else if (parameter.getType().isRecord()) {
                collect(parameter.getType(), name + ".", found);
            } else {
                found.add(new Setting(name, parameter.getType() == Duration.class));
            }
        }
    }

    /** The durations that have one name, so not those of single groups. */
    Stream<ConfigurationPropertyName> durations() {
        return settings.stream().filter(Setting::isDuration).map(setting -> ROOT.append(setting.name()));
    }

    /** What a former name is called now; null if it is none. */
    @Nullable
    ConfigurationPropertyName renamed(ConfigurationPropertyName name) {
        return RENAMED.entrySet().stream()
                .filter(former -> EnvironmentNames.isSame(former.getKey(), name))
                .map(Map.Entry::getValue)
                .findFirst()
                .orElse(null);
    }

    /** Whether a name is that of one group or one scope, which has settings and no value. */
    boolean isEntry(ConfigurationPropertyName name) {
        return ROOT.isAncestorOf(name)
                && name.getNumberOfElements() == ENTRY_ELEMENTS
                && settingsOfEntries.containsKey(section(name));
    }

    /** Whether a name is that of all groups, of one, or the same of scopes. */
    boolean isSectionOrEntry(ConfigurationPropertyName name) {
        return ROOT.isAncestorOf(name) && name.getNumberOfElements() <= ENTRY_ELEMENTS && isDeclaration(name);
    }

    /** The names of the settings that a group has, or a scope, whichever the name is of. */
    List<String> settingsOfEntry(ConfigurationPropertyName name) {
        return settingsOfEntries.getOrDefault(section(name), List.of()).stream()
                .map(Setting::name)
                .toList();
    }

    /** Whether a name is a setting of one group or one scope. */
    boolean isOfEntry(ConfigurationPropertyName name) {
        return name.getNumberOfElements() > ENTRY_ELEMENTS && settingsOfEntries.containsKey(section(name));
    }

    /** Whether a name declares groups or scopes, with whatever in it. */
    boolean isDeclaration(ConfigurationPropertyName name) {
        return settingsOfEntries.containsKey(section(name));
    }

    boolean isDuration(ConfigurationPropertyName name) {
        Setting setting = find(name, UnaryOperator.identity());
        return setting != null && setting.isDuration();
    }

    boolean isKnown(ConfigurationPropertyName name) {
        return find(name, UnaryOperator.identity()) != null;
    }

    /** The same for a name from the environment: there an underscore may stand for a dot, a hyphen, or be left out. */
    boolean isKnownInEnvironment(ConfigurationPropertyName name) {
        return find(name, text -> text.replace(".", "")) != null;
    }

    private @Nullable Setting find(ConfigurationPropertyName name, UnaryOperator<String> form) {
        String sought = form.apply(uniform(name.subName(isOfEntry(name) ? ENTRY_ELEMENTS : 1)));
        return settings(name).stream()
                .filter(setting -> form.apply(setting.name().replace("-", "")).equals(sought))
                .findFirst()
                .orElse(null);
    }

    /** The known name that is spelt most alike. */
    ConfigurationPropertyName nearest(ConfigurationPropertyName name) {
        return Stream.concat(settings(name).stream().map(setting -> named(setting, name)), inNearSection(name))
                .min(Comparator.comparingInt(known -> distance(name, known)))
                .orElseThrow();
    }

    /** Whether a name can be meant for the one that is nearest, rather than being a property of somebody else's. */
    boolean isMisspelt(ConfigurationPropertyName name) {
        ConfigurationPropertyName nearest = nearest(name);
        int length = nearest.toString().length() - ROOT.toString().length() - 1;
        return Spelling.isNear(distance(name, nearest), length);
    }

    private List<Setting> settings(ConfigurationPropertyName name) {
        return isOfEntry(name) ? settingsOfEntries.getOrDefault(section(name), List.of()) : settings;
    }

    private ConfigurationPropertyName named(Setting setting, ConfigurationPropertyName like) {
        return (isOfEntry(like) ? like.chop(ENTRY_ELEMENTS) : ROOT).append(setting.name());
    }

    /** The name in a section of which its own differs by one character, as 'group' does from 'groups'. */
    private Stream<ConfigurationPropertyName> inNearSection(ConfigurationPropertyName name) {
        return settingsOfEntries.keySet().stream()
                .filter(section ->
                        name.getNumberOfElements() >= ENTRY_ELEMENTS && Spelling.distance(section(name), section) == 1)
                .map(section -> ROOT.append(section).append(name.subName(2)));
    }

    private static String section(ConfigurationPropertyName name) {
        return name.getElement(1, Form.DASHED);
    }

    /** Without hyphens and case, as Spring Boot compares names, and without the places in lists. */
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
