package dev.ttlstore.jcache;

import java.util.concurrent.TimeUnit;

import javax.cache.CacheManager;
import javax.cache.configuration.Factory;
import javax.cache.configuration.MutableCacheEntryListenerConfiguration;
import javax.cache.configuration.MutableConfiguration;
import javax.cache.event.CacheEntryListener;
import javax.cache.expiry.Duration;

/** What the tests of caches have in common. */
final class Caches {

    private Caches() {}

    static MutableConfiguration<String, String> texts() {
        return new MutableConfiguration<String, String>().setTypes(String.class, String.class);
    }

    static MutableConfiguration<String, Long> numbers() {
        return new MutableConfiguration<String, Long>().setTypes(String.class, Long.class);
    }

    static StoreJCache<String, String> texts(CacheManager manager, MutableConfiguration<String, String> configuration) {
        return (StoreJCache<String, String>) manager.createCache("texts", configuration);
    }

    static Duration millis(long amount) {
        return new Duration(TimeUnit.MILLISECONDS, amount);
    }

    /** Makes an object that a test holds; the factories of JCache have to be serializable, although nobody does so. */
    static <T> Factory<T> always(T object) {
        return new Held<>(object);
    }

    /** A configuration of a listener that a test holds. */
    static <K, V> MutableCacheEntryListenerConfiguration<K, V> listener(
            CacheEntryListener<K, V> listener, boolean synchronous) {
        return new MutableCacheEntryListenerConfiguration<>(always(listener), null, true, synchronous);
    }

    private static final class Held<T> implements Factory<T> {

        private static final long serialVersionUID = 1;

        private final transient T object;

        private Held(T object) {
            this.object = object;
        }

        @Override
        public T create() {
            return object;
        }
    }
}
