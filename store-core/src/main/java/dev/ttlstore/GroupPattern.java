package dev.ttlstore;

import java.util.function.Predicate;

import dev.ttlstore.engine.Names;
import dev.ttlstore.engine.Namespaces;

/**
 * Selects groups by their full names. Pass it to {@link StoreBuilder#encrypt} or {@link
 * Store#onExpiredMatching(String, GroupPattern, Class, dev.ttlstore.expiry.ExpiryHandler)}.
 *
 * <pre>{@code
 * Store open(ValueCipher cipher) {
 *     return Store.builder()
 *             .path(Path.of("app.db"))
 *             .encrypt(GroupPattern.inEveryScope("secrets"), cipher)
 *             .open();
 * }
 * }</pre>
 *
 * <p>There are three kinds of patterns:
 *
 * <ul>
 *   <li>{@code secrets}: the group of this full name. The full name of a group in a scope is {@code namespace:name}.
 *   <li>{@code *:secrets}: the group {@code secrets} of every scope, but not that of the store itself
 *   <li>{@code *}: all groups
 * </ul>
 *
 * @param text the pattern
 * @since 0.1
 * @see Store#onExpiredMatching(String,GroupPattern,Class,dev.ttlstore.expiry.ExpiryHandler)
 * @see StoreBuilder#encrypt
 */
public record GroupPattern(String text) implements Predicate<String> {

    private static final String ALL = "*";
    private static final String EVERY_SCOPE = "*:";

    /**
     * Checks the pattern.
     *
     * @param text the pattern
     * @throws IllegalArgumentException if it is none of these, or has a name that is not valid
     */
    public GroupPattern {
        Names.require(text, "text");
        if (!text.equals(ALL)) {
            requireName(text.startsWith(EVERY_SCOPE) ? text.substring(EVERY_SCOPE.length()) : text);
        }
    }

    private static void requireName(String name) {
        if (name.contains("*")) {
            throw new IllegalArgumentException(
                    "a pattern must be the full name of a group, '*:' and the name of a group in every scope, or '*' for"
                            + " all groups");
        }
        Names.require(name, "text");
    }

    /**
     * Returns the pattern of the group of a name in every scope.
     *
     * @param name the name of the group in each scope
     * @return the pattern
     * @throws IllegalArgumentException if the name is not valid
     */
    public static GroupPattern inEveryScope(String name) {
        return new GroupPattern(EVERY_SCOPE + Names.require(name, "name"));
    }

    /**
     * Returns whether this selects all groups.
     *
     * @return true for {@code *}
     */
    public boolean isAll() {
        return text.equals(ALL);
    }

    /**
     * Returns whether this selects the groups of one name in all scopes.
     *
     * @return true if the pattern starts with {@code *:}
     */
    public boolean isInEveryScope() {
        return text.startsWith(EVERY_SCOPE);
    }

    /**
     * Returns the name of the selected groups, without the namespace of {@link #isInEveryScope}.
     *
     * @return the name; {@code *} if this selects all groups
     */
    public String name() {
        return isInEveryScope() ? text.substring(EVERY_SCOPE.length()) : text;
    }

    @Override
    public boolean test(String fullName) {
        if (isInEveryScope()) {
            return Namespaces.isInSome(fullName, name());
        }
        return isAll() || text.equals(fullName);
    }
}
