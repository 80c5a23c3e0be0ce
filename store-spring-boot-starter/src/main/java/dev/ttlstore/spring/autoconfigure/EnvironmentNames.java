package dev.ttlstore.spring.autoconfigure;

import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName.Form;

/**
 * The names of environment variables that start like the settings of groups and scopes. There an underscore stands
 * for a dot or a hyphen, or is left out. Programs share these variables: for a service named 'store-groups',
 * Kubernetes sets {@code STORE_GROUPS_PORT}.
 */
final class EnvironmentNames {

    /** The variables that Kubernetes, and Docker before it, set for each service. */
    private static final Pattern SERVICE_LINK =
            Pattern.compile("(.+_)?(service_host|service_port(_.+)?|port(_\\d+_(tcp|udp|sctp)(_(proto|port|addr))?)?)");

    /** The number of elements in the name of a section: root and section. */
    private static final int SECTION_ELEMENTS = 2;

    private EnvironmentNames() {}

    static boolean isServiceLink(ConfigurationPropertyName name) {
        return SERVICE_LINK.matcher(after(SECTION_ELEMENTS, name, "_")).matches();
    }

    /** Returns whether both names denote the same variable. */
    static boolean isSame(ConfigurationPropertyName one, ConfigurationPropertyName other) {
        return after(0, one, "").equals(after(0, other, ""));
    }

    /**
     * Returns the parts of a group's name, if the name seems to have several.
     *
     * @param section the section that the name is in
     * @param setting the setting that the name may end with
     * @return the parts; empty if the name does not end with the setting
     */
    static List<String> longerName(ConfigurationPropertyName name, ConfigurationPropertyName section, String setting) {
        int elements = section.getNumberOfElements();
        return IntStream.range(elements + 2, name.getNumberOfElements())
                .filter(from -> after(from, name, "").equals(compact(setting)))
                .mapToObj(from -> IntStream.range(elements, from)
                        .mapToObj(i -> name.getElement(i, Form.ORIGINAL))
                        .toList())
                .findFirst()
                .orElse(List.of());
    }

    /** Returns whether an unknown name must be meant for a setting: it is misspelt, or a part is missing. */
    static boolean isMeantFor(ConfigurationPropertyName name, ConfigurationPropertyName section, String setting) {
        String given = after(section.getNumberOfElements() + 1, name, "");
        String known = compact(setting);
        List<String> parts = List.of(setting.split("\\."));
        boolean withoutFirst =
                parts.size() > 1 && given.equals(compact(String.join("", parts.subList(1, parts.size()))));
        boolean asFirst = parts.size() > 1 && given.startsWith(parts.get(0));
        return withoutFirst || asFirst || Spelling.isNear(given, known);
    }

    /** Returns whether a name in a section is spelt nearly like a setting of it. */
    static boolean isMisspelling(ConfigurationPropertyName name, ConfigurationPropertyName setting) {
        return Spelling.isNear(after(SECTION_ELEMENTS, name, ""), after(SECTION_ELEMENTS, setting, ""));
    }

    private static String after(int elements, ConfigurationPropertyName name, String separator) {
        return IntStream.range(elements, name.getNumberOfElements())
                .mapToObj(i -> name.getElement(i, separator.isEmpty() ? Form.UNIFORM : Form.ORIGINAL)
                        .toLowerCase(Locale.ROOT))
                .collect(Collectors.joining(separator));
    }

    private static String compact(String setting) {
        return setting.replace(".", "").replace("-", "");
    }
}
