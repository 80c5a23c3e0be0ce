package dev.ttlstore.jcache;

import java.io.Closeable;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;

import javax.cache.Cache;
import javax.cache.CacheManager;
import javax.cache.configuration.CacheEntryListenerConfiguration;
import javax.cache.event.CacheEntryEvent;
import javax.cache.event.CacheEntryExpiredListener;
import javax.cache.expiry.CreatedExpiryPolicy;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import dev.ttlstore.Codec;
import dev.ttlstore.Store;
import dev.ttlstore.contract.LogRecorder;
import dev.ttlstore.contract.MovableClock;
import dev.ttlstore.contract.Promise;
import dev.ttlstore.contract.Threads;
import dev.ttlstore.expiry.ExpirySettings;
import dev.ttlstore.expiry.ExpirySubscriber;

import ch.qos.logback.classic.Level;

import static dev.ttlstore.contract.Assertions.assertThat;

/** An expiry is handled once its listeners have returned, and not before. */
@Promise(17)
class ExpiryListenerTests {

    @TempDir
    Path folder;

    private final MovableClock clock = new MovableClock();
    private final CountDownLatch begun = new CountDownLatch(1);
    private final CountDownLatch release = new CountDownLatch(1);
    private final Recorder recorder = new Recorder();
    private Duration timeout = Duration.ofMinutes(1);
    private Store store;
    private CacheManager manager;

    @BeforeEach
    void open() {
        store = Store.builder()
                .path(folder.resolve("caches.db"))
                .clock(clock)
                .expiry(ExpirySettings.defaults().withTimeout(timeout))
                .open();
        manager = JCache.of(store);
    }

    @AfterEach
    void close() {
        release.countDown();
        manager.close();
        store.close();
    }

    private Cache<String, String> cache() {
        return manager.createCache("texts", configuration().setValueCodecFactory(Caches.always(Codec.text())));
    }

    private static StoreConfiguration<String, String> configuration() {
        StoreConfiguration<String, String> configuration = new StoreConfiguration<>();
        configuration
                .setTypes(String.class, String.class)
                .setExpiryPolicyFactory(CreatedExpiryPolicy.factoryOf(Caches.millis(100)));
        return configuration;
    }

    private void expire() {
        clock.advance(Duration.ofMillis(100));
        store.purgeExpired();
    }

    private ExpirySubscriber subscriber() {
        return store.expirySubscribers().get(0);
    }

    private void awaitExpiry(Cache<String, String> cache) {
        cache.registerCacheEntryListener(Caches.listener(recorder, true));
        Awaitility.await().until(() -> {
            clock.advance(Duration.ofMinutes(1)); // it may be retried
            store.purgeExpired();
            return !recorder.events().isEmpty();
        });
        assertThat(recorder.events()).containsExactly("EXPIRED a 1 1");
    }

    @Test
    void whatAnAsynchronousListenerHasNotDoneComesBackAfterTheStoreIsOpenedAgain() {
        store.close();
        timeout = Duration.ofMillis(50);
        open();
        Cache<String, String> cache = cache();
        CacheEntryExpiredListener<String, String> held = events -> {
            begun.countDown();
            Threads.await(release);
        };
        cache.registerCacheEntryListener(Caches.listener(held, false));
        cache.put("a", "1");
        expire();
        Threads.await(begun);
        store.close(); // waits for a call until its timeout
        release.countDown();
        open();
        awaitExpiry(cache());
    }

    /** Closing the listener takes as long as the expiry needs to be handled. */
    private final class Closing implements CacheEntryExpiredListener<String, String>, Closeable {

        @Override
        public void onExpired(Iterable<CacheEntryEvent<? extends String, ? extends String>> events) {
            throw new IllegalStateException("It is closed");
        }

        @Override
        public void close() {
            expire();
            Awaitility.await()
                    .until(() -> !subscriber().active() || subscriber().handled() > 0);
        }
    }

    @Test
    void whatExpiresWhileTheLastListenerIsClosedWaitsForTheNext() {
        Cache<String, String> cache = cache();
        CacheEntryListenerConfiguration<String, String> closing = Caches.listener(new Closing(), true);
        cache.registerCacheEntryListener(closing);
        cache.put("a", "1");
        cache.deregisterCacheEntryListener(closing);
        assertThat(subscriber().handled()).isZero();
        awaitExpiry(cache);
    }

    @Test
    void anExpiryThatFindsNoListenerWaitsForTheNext() {
        AtomicBoolean holds = new AtomicBoolean(true);
        Codec<String> slow = new Codec<>() {
            @Override
            public byte[] encode(String value) {
                return Codec.text().encode(value);
            }

            @Override
            public String decode(byte[] bytes) {
                if (holds.getAndSet(false)) {
                    begun.countDown();
                    Threads.await(release);
                }
                return Codec.text().decode(bytes);
            }
        };
        Cache<String, String> cache =
                manager.createCache("texts", configuration().setValueCodecFactory(Caches.always(slow)));
        var first = Caches.<String, String>listener(new Recorder(), true);
        cache.registerCacheEntryListener(first);
        cache.put("a", "1");
        expire();
        Threads.await(begun);
        cache.deregisterCacheEntryListener(first);
        try (LogRecorder log = new LogRecorder("dev.ttlstore.internal.delivery", Level.INFO)) {
            release.countDown();
            Awaitility.await().until(() -> log.messages().stream().anyMatch(line -> line.contains("retried later")));
        }
        assertThat(subscriber().failures()).isZero();
        awaitExpiry(cache);
    }
}
