package dev.ttlstore.spring.expiry;

import java.util.function.Function;

import org.jspecify.annotations.Nullable;

/**
 * The names of an {@link OnExpiry}, with properties in the place of placeholders.
 *
 * @param subscriber the subscriber
 * @param group the group, or {@link OnExpiry#NONE}
 * @param prefix how the names of groups begin, or {@link OnExpiry#NONE}
 * @param scope the namespace, or an empty one
 */
record ExpiryNames(String subscriber, String group, String prefix, String scope) {

    /**
     * Puts properties in the place of placeholders.
     *
     * @throws IllegalArgumentException if there is none
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
        if (resolved.contains("${")) { // not every application has a resolver that refuses it
            throw new IllegalArgumentException("there is no such property as '" + resolved + "' names");
        }
        return resolved;
    }

    boolean hasGroup() {
        return !group.equals(OnExpiry.NONE);
    }

    boolean hasPrefix() {
        return !prefix.equals(OnExpiry.NONE);
    }

    /** What the store knows the subscriber by. */
    String full() {
        return scope.isEmpty() ? subscriber : scope + ":" + subscriber;
    }
}
