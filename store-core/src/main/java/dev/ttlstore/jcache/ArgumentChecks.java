package dev.ttlstore.jcache;

import java.util.Arrays;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * Checks what the methods of a cache are given.
 *
 * @param keyType the class of the keys that the configuration declares
 * @param valueType the class of the values
 */
record ArgumentChecks(Class<?> keyType, Class<?> valueType) {

    void key(Object key) {
        Objects.requireNonNull(key, "'key' must not be null");
        require(keyType, key, "key");
    }

    void value(Object value) {
        Objects.requireNonNull(value, "'value' must not be null");
        require(valueType, value, "value");
    }

    void entry(Object key, Object value) {
        key(key);
        value(value);
    }

    void keys(Iterable<?> keys) {
        Objects.requireNonNull(keys, "'keys' must not be null");
        keys.forEach(this::key);
    }

    private static void require(Class<?> type, Object argument, String name) {
        if (!type.isInstance(argument)) {
            throw new ClassCastException(
                    "'" + name + "' must be of " + type.getName() + ", as the cache's configuration"
                            + " says, but is of " + argument.getClass().getName());
        }
    }

    /**
     * Returns the first of some objects that is of the type for which {@code unwrap} is called.
     *
     * @throws IllegalArgumentException if none is
     */
    static <T> T unwrap(Object first, Class<T> type, Object... others) {
        return Stream.concat(Stream.of(first), Arrays.stream(others))
                .filter(type::isInstance)
                .findFirst()
                .map(type::cast)
                .orElseThrow(() -> new IllegalArgumentException(
                        "'type' must be a class that this object is an instance of, but is " + type.getName()));
    }
}
