package dev.ttlstore.jcache;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Function;

import javax.cache.Cache;
import javax.cache.configuration.Factory;
import javax.cache.integration.CacheWriter;
import javax.cache.integration.CacheWriterException;

import org.jspecify.annotations.Nullable;

/**
 * Writes through: what a cache changes, its writer changes first. If the writer throws, the cache does not change.
 *
 * @param <K> the type of the keys
 * @param <V> the type of the values
 */
final class WriteThrough<K, V> {

    private final @Nullable CacheWriter<K, V> writer;

    @SuppressWarnings("unchecked") // a writer of wider types takes ours
    WriteThrough(StoreConfiguration<K, V> configuration) {
        Factory<CacheWriter<? super K, ? super V>> factory = configuration.getCacheWriterFactory();
        this.writer = factory == null || !configuration.isWriteThrough() ? null : (CacheWriter<K, V>) factory.create();
    }

    void close() {
        Failures.closeQuietly(writer);
    }

    boolean isActive() {
        return writer != null;
    }

    /** Returns what tells the writer about one operation. */
    Once once() {
        return new Once();
    }

    /** An operation, which may be attempted several times. The writer is called again only if the value differs. */
    final class Once {

        private boolean told;
        private @Nullable V last;

        /** Writes a value; null to delete. */
        void tell(K key, @Nullable V value) {
            if (writer == null || (told && value == last)) {
                return;
            }
            wrap(() -> {
                if (value == null) {
                    writer.delete(key);
                } else {
                    writer.write(new CachedEntry<>(key, value));
                }
            });
            told = true;
            last = value;
        }
    }

    /** Writes entries, and returns which of them are written. */
    WriteResult<K> writeAll(Map<K, V> entries) {
        List<Cache.Entry<? extends K, ? extends V>> remaining = new ArrayList<>();
        entries.forEach((key, value) -> remaining.add(new CachedEntry<>(key, value)));
        return all(entries.keySet(), remaining, Cache.Entry::getKey, CacheWriter::writeAll);
    }

    /** Deletes entries, and returns which of them are deleted. */
    WriteResult<K> deleteAll(Collection<K> keys) {
        return all(keys, new ArrayList<>(keys), key -> key, CacheWriter::deleteAll);
    }

    /** Calls the writer, which takes out of the list what it has done. */
    private <T> WriteResult<K> all(
            Collection<K> keys,
            List<T> remaining,
            Function<T, K> key,
            BiConsumer<CacheWriter<K, V>, Collection<T>> call) {
        CacheWriter<K, V> to = writer;
        if (to == null || keys.isEmpty()) {
            return new WriteResult<>(keys, null);
        }
        try {
            wrap(() -> call.accept(to, remaining));
            return new WriteResult<>(keys, null);
        } catch (CacheWriterException e) {
            Set<K> done = new HashSet<>(keys);
            remaining.forEach(left -> done.remove(key.apply(left)));
            return new WriteResult<>(done, e);
        }
    }

    private static void wrap(Runnable call) {
        try {
            call.run();
        } catch (CacheWriterException e) {
            throw e;
        } catch (RuntimeException e) {
            throw new CacheWriterException("The cache's writer threw an exception, so the cache was not changed", e);
        }
    }

    /**
     * The result of writing several entries.
     *
     * @param done the keys of those that the writer has written or deleted
     * @param failure what the writer threw; null if it did not
     */
    record WriteResult<K>(Collection<K> done, @Nullable CacheWriterException failure) {

        /** Throws what the writer threw, after the rest is done. */
        void rethrow() {
            if (failure != null) {
                throw failure;
            }
        }
    }
}
