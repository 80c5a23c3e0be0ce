package dev.ttlstore.jcache;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import javax.cache.Cache;
import javax.cache.CacheManager;
import javax.cache.integration.CacheLoader;
import javax.cache.integration.CacheWriter;
import javax.cache.integration.CacheWriterException;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import dev.ttlstore.Group;
import dev.ttlstore.Store;

import static dev.ttlstore.contract.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** Atomic changes, loaders and writers, and what they cost. */
class CacheOperationTests {

    private final Store store = Store.inMemory();
    private final CacheManager manager = JCache.of(store);

    @AfterEach
    void close() {
        manager.close();
        store.close();
    }

    private static Map<String, String> entries(int count) {
        Map<String, String> entries = new HashMap<>();
        for (int i = 0; i < count; i++) {
            entries.put("key" + i, "value" + i);
        }
        return entries;
    }

    @Test
    void aHundredEntriesShareACommit() {
        Cache<String, String> cache = Caches.texts(manager, Caches.texts());
        Map<String, String> entries = entries(250);
        long before = store.activity().commits();
        cache.putAll(entries);
        assertThat(store.activity().commits() - before).isEqualTo(3);
        assertThat(cache.getAll(entries.keySet())).isEqualTo(entries);
        cache.removeAll(entries.keySet());
        assertThat(store.activity().commits() - before).isEqualTo(4);
    }

    @Test
    void anEntryProcessorRunsAgainIfAnotherWriterWasFaster() {
        StoreJCache<String, String> cache = Caches.texts(manager, Caches.texts());
        Group<StoredValue<String>> beside =
                store.group("jcache.texts", new StoredValue.OfCodec<>(dev.ttlstore.Codec.text()));
        cache.put("a", "1");
        AtomicInteger runs = new AtomicInteger();
        String answer = cache.invoke("a", (entry, arguments) -> {
            String seen = entry.getValue();
            if (runs.incrementAndGet() == 1) {
                beside.put("a", new StoredValue<>(null, "2"));
            }
            entry.setValue(seen + "+");
            return seen;
        });
        assertThat(runs).hasValue(2);
        assertThat(answer).isEqualTo("2");
        assertThat(cache.get("a")).isEqualTo("2+");
    }

    @Test
    void oneCallerAtATimeLoadsAKey() throws Exception {
        AtomicInteger loads = new AtomicInteger();
        int callers = 8;
        CountDownLatch ready = new CountDownLatch(callers);
        Cache<String, String> cache = Caches.texts(
                manager, Caches.texts().setReadThrough(true).setCacheLoaderFactory(Caches.always(new CacheLoader<>() {
                    @Override
                    public String load(String key) {
                        return "loaded " + loads.incrementAndGet();
                    }

                    @Override
                    public Map<String, String> loadAll(Iterable<? extends String> keys) {
                        throw new IllegalStateException("not expected");
                    }
                })));
        ExecutorService executor = Executors.newFixedThreadPool(callers);
        try {
            List<Future<@Nullable String>> answers = new ArrayList<>();
            for (int i = 0; i < callers; i++) {
                answers.add(executor.submit(() -> {
                    ready.countDown();
                    ready.await();
                    return cache.get("a");
                }));
            }
            for (Future<@Nullable String> answer : answers) {
                assertThat(answer.get(1, TimeUnit.MINUTES)).isEqualTo("loaded 1");
            }
        } finally {
            executor.shutdownNow();
        }
    }

    @Test
    void whatTheWriterRefusesTheCacheDoesNotChange() {
        Database database = new Database("bad");
        Cache<String, String> cache = Caches.texts(
                manager, Caches.texts().setWriteThrough(true).setCacheWriterFactory(Caches.always(database)));
        cache.put("a", "1");
        assertThatExceptionOfType(CacheWriterException.class).isThrownBy(() -> cache.put("bad", "1"));
        assertThatExceptionOfType(CacheWriterException.class)
                .isThrownBy(() -> cache.putAll(Map.of("b", "1", "bad", "1")));
        assertThatExceptionOfType(CacheWriterException.class).isThrownBy(() -> cache.removeAll(Set.of("a", "bad")));
        assertThat(cache.containsKey("bad")).isFalse();
        assertThat(cache.containsKey("a")).isFalse();
        assertThat(cache.get("b")).isEqualTo("1");
        assertThat(database.rows).isEqualTo(Map.of("b", "1"));
    }

    /** A writer that refuses one key. */
    private static final class Database implements CacheWriter<String, String> {

        private final String bad;
        private final Map<String, String> rows = new HashMap<>();

        private Database(String bad) {
            this.bad = bad;
        }

        @Override
        public void write(Cache.Entry<? extends String, ? extends String> entry) {
            require(entry.getKey());
            rows.put(entry.getKey(), entry.getValue());
        }

        @Override
        public void writeAll(Collection<Cache.Entry<? extends String, ? extends String>> entries) {
            for (Cache.Entry<? extends String, ? extends String> entry : List.copyOf(entries)) {
                if (!entry.getKey().equals(bad)) {
                    write(entry);
                    entries.remove(entry);
                }
            }
            entries.forEach(entry -> require(entry.getKey()));
        }

        @Override
        public void delete(Object key) {
            require(key);
            rows.remove(key.toString());
        }

        @Override
        public void deleteAll(Collection<?> keys) {
            for (Object key : List.copyOf(keys)) {
                if (!key.equals(bad)) {
                    delete(key);
                    keys.remove(key);
                }
            }
            keys.forEach(this::require);
        }

        private void require(Object key) {
            if (key.equals(bad)) {
                throw new IllegalStateException("refused");
            }
        }
    }
}
