package dev.ttlstore.jcache;

import java.io.Serial;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

import javax.cache.configuration.CompleteConfiguration;
import javax.cache.configuration.Configuration;
import javax.cache.configuration.Factory;
import javax.cache.configuration.MutableConfiguration;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.Codec;
import dev.ttlstore.serialization.AllowedClasses;

/**
 * A JCache configuration that also sets the codecs of keys and values, and the classes that may be serialized. Not
 * thread-safe.
 *
 * <pre>{@code
 * record Price(long cents) {}
 *
 * StoreConfiguration<String, Price> prices = new StoreConfiguration<String, Price>().allow("com.example.*");
 * prices.setTypes(String.class, Price.class);
 * Cache<String, Price> cache = JCache.of(store).createCache("prices", prices);
 * }</pre>
 *
 * <p>Without it, texts, bytes and whole numbers ({@code String}, {@code byte[]}, {@code Long}) that the configuration
 * declares by {@link #setTypes} are stored as they are. Other values are serialized by Java, if their classes are allowed:
 * those of Java that hold values, the declared types with the classes they extend, and what {@link #allow} and the
 * property of the manager add.
 *
 * @param <K> the type of the keys
 * @param <V> the type of the values
 * @since 0.1
 * @see JCache
 * @see StoreCachingProvider
 */
public final class StoreConfiguration<K, V> extends MutableConfiguration<K, V> {

    @Serial
    private static final long serialVersionUID = 1L;

    private @Nullable Factory<Codec<K>> keyCodecFactory;
    private @Nullable Factory<Codec<V>> valueCodecFactory;
    private final ArrayList<String> allowed = new ArrayList<>();

    /** Creates a configuration with JCache's defaults. */
    public StoreConfiguration() {}

    /**
     * Copies a configuration.
     *
     * @param configuration the configuration to copy
     */
    public StoreConfiguration(CompleteConfiguration<K, V> configuration) {
        super(configuration);
        if (configuration instanceof StoreConfiguration<K, V> ours) {
            this.keyCodecFactory = ours.keyCodecFactory;
            this.valueCodecFactory = ours.valueCodecFactory;
            this.allowed.addAll(ours.allowed);
        }
    }

    /** Copies any configuration. */
    static <K, V> StoreConfiguration<K, V> copyOf(Configuration<K, V> configuration) {
        if (configuration instanceof CompleteConfiguration<K, V> complete) {
            return new StoreConfiguration<>(complete);
        }
        StoreConfiguration<K, V> copy = new StoreConfiguration<>();
        copy.setTypes(configuration.getKeyType(), configuration.getValueType());
        copy.setStoreByValue(configuration.isStoreByValue());
        return copy;
    }

    /**
     * Returns the factory of the codec of the keys.
     *
     * @return the factory; null for the default
     */
    public @Nullable Factory<Codec<K>> getKeyCodecFactory() {
        return keyCodecFactory;
    }

    /**
     * Sets the codec of the keys. Equal keys must encode to equal bytes.
     *
     * @param factory makes the codec; null for the default
     * @return this configuration
     */
    public StoreConfiguration<K, V> setKeyCodecFactory(@Nullable Factory<Codec<K>> factory) {
        this.keyCodecFactory = factory;
        return this;
    }

    /**
     * Returns the factory of the codec of the values.
     *
     * @return the factory; null for the default
     */
    public @Nullable Factory<Codec<V>> getValueCodecFactory() {
        return valueCodecFactory;
    }

    /**
     * Sets the codec of the values, such as one for JSON, so that values survive a change of their class.
     *
     * @param factory makes the codec; null for the default
     * @return this configuration
     */
    public StoreConfiguration<K, V> setValueCodecFactory(@Nullable Factory<Codec<V>> factory) {
        this.valueCodecFactory = factory;
        return this;
    }

    /**
     * Returns the classes that may be serialized.
     *
     * @return the patterns that {@link #allow} has added
     */
    public List<String> getAllowed() {
        return List.copyOf(allowed);
    }

    /**
     * Allows classes of keys and values to be serialized.
     *
     * @param patterns names of classes; {@code com.example.*} for those of a package, {@code com.example.**} also for those
     *     below it
     * @return this configuration
     * @throws IllegalArgumentException if a pattern is malformed
     */
    public StoreConfiguration<K, V> allow(String... patterns) {
        List<String> given = List.of(patterns);
        AllowedClasses unused = AllowedClasses.of(given); // which checks them
        allowed.addAll(given);
        return this;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof StoreConfiguration<?, ?> that
                && super.equals(other)
                && Objects.equals(keyCodecFactory, that.keyCodecFactory)
                && Objects.equals(valueCodecFactory, that.valueCodecFactory)
                && allowed.equals(that.allowed);
    }

    @Override
    public int hashCode() {
        return 31 * super.hashCode() + Objects.hash(keyCodecFactory, valueCodecFactory, allowed);
    }
}
