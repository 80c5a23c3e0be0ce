package dev.ttlstore.engine;

import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

/**
 * The names of a namespace's groups in the store: {@code namespace:group}.
 *
 * @since 0.1
 */
public final class Namespaces {

    /** The longest namespace that leaves room for the separator and a name of one character. */
    public static final int MAX_LENGTH = 1_022;

    private static final Pattern NAME = Pattern.compile("[a-zA-Z0-9-]+");
    private static final char SEPARATOR = ':';

    private Namespaces() {}

    /**
     * Returns whether a text can be a namespace.
     *
     * @param text the text
     * @return true if it consists of letters, digits and hyphens, at least one
     */
    public static boolean isName(String text) {
        return NAME.matcher(text).matches();
    }

    /**
     * Returns the prefix of the names of a namespace's groups.
     *
     * @param namespace the namespace
     * @return the prefix
     */
    public static String prefix(String namespace) {
        return namespace + SEPARATOR;
    }

    /**
     * Returns the groups of a namespace: all whose names start with its prefix. This includes the name that is only
     * the prefix, which a scope cannot use but the store can.
     *
     * @param namespace the namespace
     * @return their range
     */
    public static GroupRange groups(String namespace) {
        return GroupRange.prefix(prefix(namespace));
    }

    /**
     * Returns the namespace of a group.
     *
     * @param group the full group name
     * @return the namespace; null if the group has none
     */
    public static @Nullable String of(String group) {
        int separator = group.indexOf(SEPARATOR);
        if (separator <= 0) {
            return null;
        }
        String namespace = group.substring(0, separator);
        return isName(namespace) ? namespace : null;
    }

    /**
     * Returns whether a group has a name within some namespace.
     *
     * @param group the full group name
     * @param name the name of the group in its namespace
     * @return true if the full name is a namespace, the separator and the name
     */
    public static boolean isInSome(String group, String name) {
        int separator = group.length() - name.length() - 1;
        return separator > 0
                && group.indexOf(SEPARATOR) == separator
                && group.endsWith(name)
                && isName(group.substring(0, separator));
    }
}
