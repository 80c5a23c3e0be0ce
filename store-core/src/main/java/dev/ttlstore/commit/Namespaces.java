package dev.ttlstore.commit;

import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.engine.GroupRange;

/** How the groups of a namespace are named in the store: {@code namespace:group}. */
public final class Namespaces {

    private static final Pattern NAME = Pattern.compile("[a-zA-Z0-9-]+");
    private static final char SEPARATOR = ':';

    private Namespaces() {}

    /**
     * Whether a text can be a namespace.
     *
     * @param text the text
     * @return true if it has letters, digits and hyphens alone, and at least one
     */
    public static boolean isName(String text) {
        return NAME.matcher(text).matches();
    }

    /**
     * What the names of a namespace's groups begin with.
     *
     * @param namespace the namespace
     * @return the prefix
     */
    public static String prefix(String namespace) {
        return namespace + SEPARATOR;
    }

    /**
     * The groups of a namespace.
     *
     * @param namespace the namespace
     * @return their range
     */
    public static GroupRange groups(String namespace) {
        return GroupRange.within(prefix(namespace));
    }

    /**
     * The namespace that a group is in.
     *
     * @param group the full group name
     * @return the namespace; null if the group is in none
     */
    static @Nullable String of(String group) {
        int separator = group.indexOf(SEPARATOR);
        if (separator <= 0 || separator == group.length() - 1) {
            return null; // nothing before it, or nothing behind: no group of a namespace goes by the empty name
        }
        String namespace = group.substring(0, separator);
        return isName(namespace) ? namespace : null;
    }
}
