package dev.ttlstore.spring.cache;

import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import dev.ttlstore.Group;
import dev.ttlstore.Store;
import dev.ttlstore.exception.StoreClosedException;
import dev.ttlstore.exception.StoreException;
import dev.ttlstore.serialization.AllowedClasses;
import dev.ttlstore.serialization.JavaCodec;
import dev.ttlstore.spring.MovableClock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

/** Caches in a store in memory. */
class StoreCacheTests extends StoreCacheContract {

    private final MovableClock clock = new MovableClock();
    private final Store store = Store.builder().inMemory().clock(clock).open();
    private final StoreCacheManager manager = manager(Duration.ofMinutes(10), true);

    private StoreCacheManager manager(Duration ttl, boolean nullValues) {
        return new StoreCacheManager(store, name -> new StoreCacheSettings(ttl, nullValues, codec()), List.of("known"));
    }

    private static JavaCodec codec() {
        return new JavaCodec(AllowedClasses.of(List.of()), "property", null);
    }

    @Override
    StoreCache cache() {
        return manager.getCache("testCache");
    }

    @AfterEach
    void close() {
        store.close();
    }

    @Test
    void anEntryLivesForTheTtl() {
        cache().put("key", "value");
        clock.advance(Duration.ofMinutes(10).minusMillis(1));
        assertThat(cache().get("key")).isNotNull();
        clock.advance(Duration.ofMillis(1));
        assertThat(cache().get("key")).isNull();
    }

    private StoreCache idling(Duration ttl) {
        return new StoreCacheManager(
                        store, name -> new StoreCacheSettings(ttl, Duration.ofMinutes(10), true, codec()), List.of())
                .getCache("testCache");
    }

    @Test
    void anEntryThatIsReadLivesOn() {
        StoreCache cache = idling(Duration.ZERO);
        cache.put("key", "value");
        for (int i = 0; i < 20; i++) {
            clock.advance(Duration.ofMinutes(10).minusMillis(1));
            assertThat(cache.get("key", String.class)).isEqualTo("value");
        }
        clock.advance(Duration.ofMinutes(9));
        assertThat(cache.get("key", () -> "loaded")).isEqualTo("value");
        clock.advance(Duration.ofMinutes(10));
        assertThat(cache.get("key")).isNull();
    }

    @Test
    void readsDoNotExtendAnEntryBeyondItsTtl() {
        StoreCache cache = idling(Duration.ofMinutes(25));
        cache.put("key", "value");
        for (int i = 0; i < 24; i++) {
            clock.advance(Duration.ofMinutes(1));
            assertThat(cache.get("key")).isNotNull();
        }
        clock.advance(Duration.ofMinutes(1));
        assertThat(cache.get("key")).isNull();
        cache.put("key", "value");
        clock.advance(Duration.ofMinutes(10));
        assertThat(cache.get("key")).isNull();
    }

    /** An entry that is read all the time is extended ten times within the time to idle, not with each read. */
    @Test
    void frequentReadsWriteSeldom() {
        StoreCache cache = idling(Duration.ZERO);
        cache.put("key", "value");
        long before = store.activity().writes();
        for (int second = 0; second < 1_200; second++) {
            clock.advance(Duration.ofSeconds(1));
            assertThat(cache.get("key")).isNotNull();
        }
        assertThat(store.activity().writes() - before).isBetween(19L, 20L);
    }

    @Test
    void aReadThatCannotExtendItsEntryReturnsIt() {
        Group<Object> failing = new StoreCacheManager(
                        store, name -> new StoreCacheSettings(Duration.ZERO, true, codec()), List.of())
                .getCache("testCache")
                .getNativeCache();
        StoreCache cache = new StoreCache(
                "testCache",
                refusing(failing, "expire"),
                new StoreCacheSettings(Duration.ZERO, Duration.ofMinutes(10), true, codec()));
        cache.put("key", "value");
        clock.advance(Duration.ofMinutes(9));
        assertThat(cache.get("key", String.class)).isEqualTo("value");
    }

    @SuppressWarnings("unchecked") // as what it stands before
    private static Group<Object> refusing(Group<Object> group, String refused) {
        return (Group<Object>) Proxy.newProxyInstance(
                Group.class.getClassLoader(), new Class<?>[] {Group.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals(refused)) {
                        throw new StoreException("The disk is full", "Make room", null);
                    }
                    return method.invoke(group, arguments);
                });
    }

    @Test
    void settingsThatContradictEachOtherAreRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> idling(Duration.ofMinutes(10)))
                .withMessageContaining("'timeToIdle' must be shorter than 'ttl'");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new StoreCacheSettings(Duration.ZERO, Duration.ofMillis(-1), true, codec()))
                .withMessageContaining("'timeToIdle' must not be negative");
    }

    @Test
    void whatIsStoredIsFoundAfterARestart() {
        cache().put("key", "value");
        StoreCacheManager restarted = manager(Duration.ofMinutes(10), true);
        assertThat(restarted.getCacheNames()).contains("testCache");
    }

    @Test
    void whoeverWaitsForALoadThatDoesNotEndLearnsThatTheStoreIsClosed() {
        StoreCache cache = cache();
        CountDownLatch loading = new CountDownLatch(1);
        CountDownLatch release = new CountDownLatch(1);
        try {
            CompletableFuture<String> load = CompletableFuture.supplyAsync(() -> cache.get("key", () -> {
                loading.countDown();
                return release.await(30, TimeUnit.SECONDS) ? "late" : "never";
            }));
            await().until(() -> loading.getCount() == 0);
            CompletableFuture<String> waiting = CompletableFuture.supplyAsync(() -> cache.get("key", () -> "other"));
            store.close();
            assertThat(waiting)
                    .failsWithin(Duration.ofSeconds(20))
                    .withThrowableOfType(ExecutionException.class)
                    .withCauseInstanceOf(StoreClosedException.class);
            assertThat(load).isNotDone();
        } finally {
            release.countDown();
        }
    }

    /** The method has succeeded; with another cache its caller would never know. */
    @Test
    void aValueThatIsTooLargeIsReturnedAndNotKept() {
        String large = "x".repeat(2_000_000);
        StoreCache cache = cache();
        assertThat(cache.get("loaded", () -> large)).isEqualTo(large);
        assertThat(cache.get("loaded")).isNull();
        assertThat(cache.retrieve("later", () -> CompletableFuture.completedFuture(large)))
                .isCompletedWithValue(large);
        cache.put("put", "small");
        cache.put("put", large);
        assertThat(cache.get("put")).isNull();
    }

    @Test
    void zeroIsForEver() {
        StoreCache cache = manager(Duration.ZERO, true).getCache("testCache");
        cache.put("key", "value");
        clock.advance(Duration.ofDays(10_000));
        assertThat(cache.get("key")).isNotNull();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> manager(Duration.ofMillis(-1), true).getCache("other"))
                .withMessageContaining("'ttl'");
    }

    @Test
    void nullIsRefusedIfItIsNoValue() {
        StoreCache cache = manager(Duration.ZERO, false).getCache("testCache");
        assertThatIllegalArgumentException().isThrownBy(() -> cache.put("key", null));
        assertThat(cache.get("key")).isNull();
    }

    @Test
    void namesAreThoseThatAreKnownOrUsed() {
        assertThat(manager.getCacheNames()).containsExactly("known");
        assertThat(cache()).isSameAs(cache());
        assertThat(manager.getCacheNames()).containsExactly("known", "testCache");
    }

    /** As after a release whose classes have changed. */
    @Test
    void whatCannotBeReadIsLoadedAgain() {
        byte[] foreign = {1, 2, 3};
        store.group("cache.testCache", dev.ttlstore.Codec.bytes()).put("key", foreign);
        assertThat(cache().get("key")).isNull();
        assertThat(cache().get("key", () -> "loaded")).isEqualTo("loaded");
        store.group("cache.testCache", dev.ttlstore.Codec.bytes()).put("key", foreign);
        assertThat(cache().putIfAbsent("key", "put")).isNull();
        assertThat(cache().get("key", String.class)).isEqualTo("put");
    }

    /** Objects of other classes may do harm when they are created. */
    @Test
    void onlyAllowedClassesArePut() {
        assertThatThrownBy(() -> cache().put("key", new Random[] {new Random()}))
                .hasMessageContaining("java.util.Random may not be deserialized")
                .hasMessageContaining("'property'");
        assertThat(cache().get("key")).isNull();
    }
}
