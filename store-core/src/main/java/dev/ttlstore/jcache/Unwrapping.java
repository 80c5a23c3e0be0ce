package dev.ttlstore.jcache;

/** Gives what is behind an interface of JCache. */
final class Unwrapping {

    private Unwrapping() {}

    /**
     * Returns the first of some objects that is of a type.
     *
     * @throws IllegalArgumentException if none is
     */
    static <T> T cast(Object first, Class<T> type, Object... others) {
        if (type.isInstance(first)) {
            return type.cast(first);
        }
        for (Object other : others) {
            if (type.isInstance(other)) {
                return type.cast(other);
            }
        }
        throw new IllegalArgumentException(
                "'type' must be a class of which there is an object, but is " + type.getName());
    }
}
