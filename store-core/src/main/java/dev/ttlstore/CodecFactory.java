package dev.ttlstore;

import org.jspecify.annotations.Nullable;

/**
 * Finds codecs for classes other than the built-in {@code String}, {@code byte[]} and {@code Long}. Thread-safe.
 *
 * <pre>{@code
 * CodecFactory factory = new CodecFactory() {
 *     @Override
 *     @SuppressWarnings("unchecked") // V is UUID
 *     public <V> Codec<V> codec(Class<V> type) {
 *         return type == UUID.class ? (Codec<V>) uuids() : null;
 *     }
 *
 *     private Codec<UUID> uuids() {
 *         return new Codec<>() {
 *             @Override
 *             public byte[] encode(UUID value) {
 *                 return Codec.text().encode(value.toString());
 *             }
 *
 *             @Override
 *             public UUID decode(byte[] bytes) {
 *                 return UUID.fromString(Codec.text().decode(bytes));
 *             }
 *         };
 *     }
 * };
 * Store store = Store.builder().path(Path.of("app.db")).codecs(factory).open();
 * Group<UUID> devices = store.group("devices", UUID.class);
 * }</pre>
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
