package dev.ttlstore.jcache;

import java.io.Closeable;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;

import javax.cache.Cache;
import javax.cache.CacheManager;
import javax.cache.configuration.MutableCacheEntryListenerConfiguration;
import javax.cache.configuration.MutableConfiguration;
import javax.cache.event.CacheEntryCreatedListener;
import javax.cache.event.CacheEntryEvent;
import javax.cache.event.CacheEntryListenerException;
import javax.cache.event.CacheEntryUpdatedListener;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import dev.ttlstore.Store;
import dev.ttlstore.contract.LogRecorder;
import dev.ttlstore.contract.Promise;
import dev.ttlstore.contract.Waiter;

import ch.qos.logback.classic.Level;

import static dev.ttlstore.contract.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Which changes listeners get, and when. */
class CacheListenerTests {

    private final Store store = Store.inMemory();
    private final CacheManager manager = JCache.of(store);
    private final Cache<String, String> cache = Caches.texts(manager, Caches.texts());
    private final Recorder recorder = new Recorder();

    @AfterEach
    void close() {
        manager.close();
        store.close();
    }

    /** Whichever of them comes first. */
    @Test
    void aCacheThatCouldNotBeMadeLeavesNoListenerBehind() {
        for (int i = 0; i < 10; i++) {
            MutableConfiguration<String, String> broken = new MutableConfiguration<String, String>()
                    .addCacheEntryListenerConfiguration(Caches.listener(new Recorder(), true))
                    .addCacheEntryListenerConfiguration(Caches.listener(new Recorder(), true))
                    .addCacheEntryListenerConfiguration(new MutableCacheEntryListenerConfiguration<>(
                            () -> {
                                throw new IllegalStateException("no listener");
                            },
                            null,
                            false,
                            true));
            assertThatThrownBy(() -> manager.createCache("other", broken)).hasStackTraceContaining("no listener");
        }
        Cache<String, String> made = manager.createCache(
                "other",
                new MutableConfiguration<String, String>()
                        .addCacheEntryListenerConfiguration(Caches.listener(recorder, true)));
        made.put("a", "1");
        assertThat(recorder.events()).containsExactly("CREATED a null 1");
    }

    @Test
    void aSynchronousListenerHasEachChangeBeforeTheCallReturns() {
        cache.registerCacheEntryListener(Caches.listener(recorder, true));
        cache.put("a", "1");
        cache.put("a", "2");
        cache.putAll(Map.of("a", "3"));
        cache.invoke("a", (entry, arguments) -> {
            entry.setValue("4");
            return "";
        });
        cache.removeAll();
        cache.removeAll(Set.of("a"));
        cache.put("b", "1");
        cache.clear();
        assertThat(recorder.events())
                .containsExactly(
                        "CREATED a null 1",
                        "UPDATED a 1 2",
                        "UPDATED a 2 3",
                        "UPDATED a 3 4",
                        "REMOVED a 4 4",
                        "CREATED b null 1");
    }

    @Test
    void anAsynchronousListenerHasTheChangesInTheirOrder() {
        cache.registerCacheEntryListener(Caches.listener(recorder, false));
        List<String> expected = IntStream.range(1, 500)
                .mapToObj(i -> "UPDATED a " + (i - 1) + " " + i)
                .toList();
        IntStream.range(0, 500).forEach(i -> cache.put("a", Integer.toString(i)));
        Awaitility.await().until(() -> recorder.events().size() == 500);
        assertThat(recorder.events().subList(1, 500)).isEqualTo(expected);
    }

    @Test
    void aSlowAsynchronousListenerMayItselfChangeTheCache() throws InterruptedException {
        CountDownLatch done = new CountDownLatch(1);
        CacheEntryCreatedListener<String, String> slow = events -> {
            if (events.iterator().next().getKey().equals("first")) {
                IntStream.range(0, 100).forEach(i -> cache.put("more" + i, "1"));
            } else if (events.iterator().next().getKey().equals("more99")) {
                done.countDown();
            }
        };
        cache.registerCacheEntryListener(Caches.listener(slow, false));
        cache.put("first", "1");
        assertThat(done.await(1, TimeUnit.MINUTES)).isTrue();
    }

    @Test
    @Promise({22, 24})
    void aSlowAsynchronousListenerMayChangeTheVeryEntriesThatItIsToldOf() {
        int changes = 40; // more than there is room for
        AtomicInteger calls = new AtomicInteger();
        CacheEntryUpdatedListener<String, String> slow = events -> {
            LockSupport.parkNanos(20_000_000);
            boolean unused = cache.putIfAbsent("a", "absent");
            calls.incrementAndGet();
        };
        cache.registerCacheEntryListener(Caches.listener(slow, false));
        String large = "x".repeat(1_000_000);
        Waiter<Boolean> writing = Waiter.start(() -> {
            IntStream.rangeClosed(0, changes).forEach(i -> cache.put("a", large));
            return true;
        });
        assertThat(writing.get()).isTrue();
        Awaitility.await().until(() -> calls.get() == changes);
    }

    @Test
    @Promise({22, 24})
    void slowAsynchronousListenersMayChangeTheCacheOfEachOther() {
        int changes = 40;
        AtomicInteger calls = new AtomicInteger();
        String large = "x".repeat(1_000_000);
        Cache<String, String> other = manager.createCache("others", Caches.texts());
        CacheEntryCreatedListener<String, String> toOther = events -> {
            LockSupport.parkNanos(20_000_000);
            other.put("copy of " + events.iterator().next().getKey(), large);
        };
        CacheEntryCreatedListener<String, String> back = events -> {
            LockSupport.parkNanos(20_000_000);
            if (calls.incrementAndGet() < changes) {
                cache.put("back for " + calls, large);
            }
        };
        cache.registerCacheEntryListener(Caches.listener(toOther, false));
        other.registerCacheEntryListener(Caches.listener(back, false));
        Waiter<Boolean> writing = Waiter.start(() -> {
            IntStream.range(0, changes).forEach(i -> cache.put("key" + i, large));
            return true;
        });
        Waiter<Boolean> writingOther = Waiter.start(() -> {
            IntStream.range(0, changes).forEach(i -> other.put("key" + i, large));
            return true;
        });
        assertThat(writing.get()).isTrue();
        assertThat(writingOther.get()).isTrue();
        Awaitility.await().until(() -> calls.get() >= 2 * changes);
    }

    @Test
    void aListenerThatThrowsDoesNotUndoTheChangeOrStopTheOthers() {
        CacheEntryCreatedListener<String, String> broken = events -> {
            throw new IllegalStateException("broken");
        };
        cache.registerCacheEntryListener(Caches.listener(broken, true));
        cache.registerCacheEntryListener(Caches.listener(recorder, true));
        assertThatExceptionOfType(CacheEntryListenerException.class).isThrownBy(() -> cache.put("a", "1"));
        assertThat(cache.get("a")).isEqualTo("1");
        assertThat(recorder.events()).containsExactly("CREATED a null 1");
    }

    @Test
    void anErrorDoesNotStopAnAsynchronousListener() {
        CacheEntryCreatedListener<String, String> erring = events -> {
            if (events.iterator().next().getKey().equals("bad")) {
                throw new StackOverflowError();
            }
            recorder.onCreated(events);
        };
        cache.registerCacheEntryListener(Caches.listener(erring, false));
        cache.put("bad", "1");
        cache.put("a", "1");
        Awaitility.await().until(() -> !recorder.events().isEmpty());
        assertThat(recorder.events()).containsExactly("CREATED a null 1");
    }

    private record Failing() implements CacheEntryCreatedListener<String, String>, Closeable {

        @Override
        public void onCreated(Iterable<CacheEntryEvent<? extends String, ? extends String>> events) {
            throw new IllegalStateException(
                    "Cannot parse " + events.iterator().next().getValue());
        }

        @Override
        public void close() throws IOException {
            throw new IOException("The last value was secret");
        }
    }

    @Test
    @Promise(12)
    void noMessageOfAListenersExceptionIsLoggedBecauseItMayQuoteAValue() {
        var failing = Caches.listener(new Failing(), false);
        cache.registerCacheEntryListener(failing);
        try (LogRecorder log = new LogRecorder("dev.ttlstore.jcache", Level.WARN)) {
            cache.put("a", "secret");
            Awaitility.await().until(() -> !log.events().isEmpty());
            cache.deregisterCacheEntryListener(failing);
            assertThat(log.messages())
                    .containsExactly(
                            "A listener of the cache 'texts' threw an exception",
                            Failing.class.getName() + " could not be closed");
            assertThat(log.traces()).allMatch(trace -> !trace.contains("secret"));
        }
    }

    @Test
    void aFilterChooses() {
        cache.registerCacheEntryListener(new MutableCacheEntryListenerConfiguration<>(
                Caches.always(recorder), Caches.always(event -> event.getKey().equals("a")), true, true));
        cache.put("a", "1");
        cache.put("b", "1");
        assertThat(recorder.events()).containsExactly("CREATED a null 1");
    }

    @Test
    void aListenerIsRegisteredOnceAndDeregisters() {
        var configuration = Caches.listener(recorder, true);
        cache.registerCacheEntryListener(configuration);
        assertThatIllegalArgumentException().isThrownBy(() -> cache.registerCacheEntryListener(configuration));
        cache.deregisterCacheEntryListener(configuration);
        cache.put("a", "1");
        assertThat(recorder.events()).isEmpty();
    }
}
