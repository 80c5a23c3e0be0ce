package dev.ttlstore.jcache;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

import javax.cache.Cache;
import javax.cache.CacheManager;
import javax.cache.expiry.CreatedExpiryPolicy;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import dev.ttlstore.Store;
import dev.ttlstore.contract.Effort;
import dev.ttlstore.contract.Promise;
import dev.ttlstore.postgresql.PostgreSql;
import dev.ttlstore.postgresql.TestServer;

import static dev.ttlstore.contract.Assertions.assertThat;

/** One cache of two instances, in PostgreSQL. */
@Tag("postgresql")
class SharedCacheTests {

    private final String schema = TestServer.freshSchema();
    private final Store oneStore = open();
    private final Store otherStore = open();
    private final CacheManager one = JCache.of(oneStore);
    private final CacheManager other = JCache.of(otherStore);

    private Store open() {
        return Store.builder()
                .engine(PostgreSql.on(TestServer.pool()).schema(schema))
                .open();
    }

    @AfterEach
    void close() {
        one.close();
        other.close();
        oneStore.close();
        otherStore.close();
        TestServer.drop(schema);
    }

    @Test
    void whatOneInstancePutsTheOtherGets() {
        Cache<String, String> here = Caches.texts(one, Caches.texts());
        Cache<String, String> there = Caches.texts(other, Caches.texts());
        here.putAll(Map.of("a", "1", "b", "1", "c", "1"));
        assertThat(there.getAll(Set.of("a", "b", "d"))).isEqualTo(Map.of("a", "1", "b", "1"));
        assertThat(there.replace("a", "1", "2")).isTrue();
        assertThat(here.replace("a", "1", "3")).isFalse();
        assertThat(here.getAndRemove("a")).isEqualTo("2");
        assertThat(there.putIfAbsent("a", "4")).isTrue();
        here.removeAll();
        assertThat(there).isEmpty();
    }

    @Test
    @Promise(10)
    void anEntryProcessorIsAtomicAcrossInstances() throws Exception {
        Cache<String, Long> here = one.createCache("counts", Caches.numbers());
        Cache<String, Long> there = other.createCache("counts", Caches.numbers());
        int threads = 4;
        int times = Effort.of(8, 25);
        ExecutorService executor = Executors.newFixedThreadPool(2 * threads);
        try {
            List<Future<?>> running = new ArrayList<>();
            for (int i = 0; i < threads; i++) {
                running.add(executor.submit(() -> increment(here, times)));
                running.add(executor.submit(() -> increment(there, times)));
            }
            for (Future<?> each : running) {
                each.get(2, TimeUnit.MINUTES);
            }
        } finally {
            executor.shutdownNow();
        }
        assertThat(here.get("count")).isEqualTo(2L * threads * times);
    }

    private static void increment(Cache<String, Long> cache, int times) {
        for (int i = 0; i < times; i++) {
            cache.invoke("count", (entry, arguments) -> {
                entry.setValue(entry.exists() ? entry.getValue() + 1 : 1L);
                return true;
            });
        }
    }

    @Test
    @Promise(17)
    void oneInstanceHandlesAnExpiry() {
        var configuration = Caches.texts().setExpiryPolicyFactory(CreatedExpiryPolicy.factoryOf(Caches.millis(50)));
        Recorder recorder = new Recorder();
        Cache<String, String> here = Caches.texts(one, configuration);
        Cache<String, String> there = Caches.texts(other, configuration);
        here.registerCacheEntryListener(Caches.listener(recorder, true));
        there.registerCacheEntryListener(Caches.listener(recorder, true));
        here.put("a", "1");
        here.put("b", "2");
        Awaitility.await().untilAsserted(() -> assertThat(recorder.events())
                .filteredOn(event -> event.startsWith("EXPIRED"))
                .containsExactlyInAnyOrder("EXPIRED a 1 1", "EXPIRED b 2 2"));
        assertThat(recorder.events())
                .filteredOn(event -> event.startsWith("CREATED"))
                .hasSize(2);
    }
}
