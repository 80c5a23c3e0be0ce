package dev.ttlstore.jcache;

import java.util.Arrays;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

/**
 * Checks what the methods of a cache are given, and returns it.
 *
 * @param keyType the class of the keys that the configuration declares
 * @param valueType the class of the values
 * @param <K> the type of the keys
 * @param <V> the type of the values
 */
record ArgumentChecks<K, V>(Class<K> keyType, Class<V> valueType) {

    K key(K key) {
        require(keyType, key, "key");
        return key;
    }

    V value(V value) {
        require(valueType, value, "value");
        return value;
    }

    <S extends Set<? extends K>> S keys(S keys) {
        Objects.requireNonNull(keys, "'keys' must not be null");
        keys.forEach(key -> require(keyType, key, "key"));
        return keys;
    }

    <M extends Map<? extends K, ? extends V>> M map(M map) {
        Objects.requireNonNull(map, "'map' must not be null");
        map.forEach((key, value) -> {
            require(keyType, key, "key");
            require(valueType, value, "value");
        });
        return map;
    }

    private static void require(Class<?> type, @Nullable Object argument, String name) {
        if (argument == null) {
            throw new NullPointerException("'" + name + "' must not be null");
        }
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
