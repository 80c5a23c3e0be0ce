package dev.ttlstore.spring.expiry;

import java.util.function.Function;

import org.jspecify.annotations.Nullable;

/**
 * The names in an {@link OnExpiry}, with placeholders resolved.
 *
 * @param subscriber the subscriber
 * @param group the group or pattern, or {@link OnExpiry#NONE}
 * @param prefix the prefix of the groups' names, or {@link OnExpiry#NONE}
 * @param scope the namespace, or empty
 */
record ExpiryNames(String subscriber, String group, String prefix, String scope) {

    /**
     * Resolves the placeholders of an annotation.
     *
     * @throws IllegalArgumentException if a property does not exist
     */
    static ExpiryNames of(OnExpiry annotation, Function<String, @Nullable String> resolver) {
        return new ExpiryNames(
                resolve(annotation.subscriber(), resolver),
                resolve(annotation.group(), resolver),
                resolve(annotation.prefix(), resolver),
                resolve(annotation.scope(), resolver));
    }

    private static String resolve(String text, Function<String, @Nullable String> resolver) {
        String resolved = resolver.apply(text);
        if (resolved == null) {
            return "";
        }
        if (resolved.contains("${")) { // not every application has a resolver that refuses this
            throw new IllegalArgumentException("the property in '" + resolved + "' does not exist");
        }
        return resolved;
    }

    boolean hasGroup() {
        return !group.equals(OnExpiry.NONE);
    }

    /** Returns whether the group is a pattern rather than a name. */
    boolean hasPattern() {
        return hasGroup() && group.indexOf('*') >= 0;
    }

    boolean hasPrefix() {
        return !prefix.equals(OnExpiry.NONE);
    }

    /** Returns the name of the subscriber in the store. */
    String full() {
        return scope.isEmpty() ? subscriber : scope + ":" + subscriber;
    }
}
