package dev.ttlstore;

import org.jspecify.annotations.Nullable;

/**
 * Finds codecs for classes other than the built-in {@code String}, {@code byte[]} and {@code Long}. Thread-safe.
 *
 * @since 0.1
 * @see StoreBuilder#codecs
 * @see Codec
 * @see TypeRef
 */
public interface CodecFactory {

    /**
     * Finds the codec for a class.
     *
     * @param type the class of the values
     * @return its codec; null if this factory has none
     * @param <V> the type of the values
     */
    <V> @Nullable Codec<V> codec(Class<V> type);

    /**
     * Finds the codec for a generic type.
     *
     * @param type the type of the values, which is not a plain class
     * @return its codec; null, by default, if this factory has none
     * @param <V> the type of the values
     */
    default <V> @Nullable Codec<V> codec(TypeRef<V> type) {
        return null;
    }
}
