package dev.ttlstore.internal.base;

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
     * The groups of a namespace: all whose names begin with its prefix, also the one that is the prefix alone, which only the
     * store can name.
     *
     * @param namespace the namespace
     * @return their range
     */
    public static GroupRange groups(String namespace) {
        return GroupRange.prefix(prefix(namespace));
    }

    /**
     * The namespace that a group is in.
     *
     * @param group the full group name
     * @return the namespace; null if the group is in none
     */
    public static @Nullable String of(String group) {
        int separator = group.indexOf(SEPARATOR);
        if (separator <= 0) {
            return null;
        }
        String namespace = group.substring(0, separator);
        return isName(namespace) ? namespace : null;
    }
}
