package dev.ttlstore.spring.cache;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.cache.Cache;
import org.springframework.cache.Cache.ValueRetrievalException;
import org.springframework.cache.Cache.ValueWrapper;
import org.springframework.cache.support.NullValue;
import org.springframework.core.task.SimpleAsyncTaskExecutor;

import static java.util.Objects.requireNonNull;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** What Spring's own tests ask of each implementation of a cache, and what the contract says beyond them; on each engine. */
@SuppressWarnings("NullAway") // null stands for a value here, more often than Spring's annotations allow
abstract class StoreCacheContract {

    /** Returns the cache 'testCache', which is empty and takes null. */
    abstract StoreCache cache();

    private static @Nullable Object value(@Nullable ValueWrapper wrapper) {
        return requireNonNull(wrapper, "no entry").get();
    }

    @Test
    void theCacheHasItsName() {
        assertThat(cache().getName()).isEqualTo("testCache");
    }

    @Test
    void theNativeCacheIsTheGroup() {
        assertThat(cache().getNativeCache().name()).isEqualTo("cache.testCache");
    }

    @Test
    void whatWasPutIsThere() {
        Cache cache = cache();
        assertThat(cache.get("key")).isNull();
        assertThat(cache.get("key", String.class)).isNull();
        assertThat(cache.get("key", Object.class)).isNull();
        cache.put("key", "george");
        assertThat(value(cache.get("key"))).isEqualTo("george");
        assertThat(cache.get("key", String.class)).isEqualTo("george");
        assertThat(cache.get("key", Object.class)).isEqualTo("george");
        assertThat(cache.<Object>get("key", (Class<Object>) null)).isEqualTo("george");
    }

    @Test
    void nullIsAValue() {
        Cache cache = cache();
        cache.put("key", null);
        assertThat(value(cache.get("key"))).isNull();
        assertThat(cache.get("key", String.class)).isNull();
        cache.put("key", "george");
        cache.put("key", NullValue.INSTANCE);
        assertThat(value(cache.get("key"))).isNull();
        assertThat(cache.get("key", Object.class)).isNull();
    }

    @Test
    void aValueOfAnotherTypeIsRefused() {
        cache().put("key", "george");
        assertThatThrownBy(() -> cache().get("key", Integer.class)).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void putIfAbsentKeepsWhatIsThere() {
        Cache cache = cache();
        assertThat(cache.putIfAbsent("key", "first")).isNull();
        assertThat(value(cache.get("key"))).isEqualTo("first");
        assertThat(value(cache.putIfAbsent("key", "second"))).isEqualTo("first");
        assertThat(value(cache.get("key"))).isEqualTo("first");
        assertThat(cache.putIfAbsent("null", null)).isNull();
        assertThat(value(cache.putIfAbsent("null", "second"))).isNull();
    }

    @Test
    void oneOfManyPutsIfAbsent() throws Exception {
        Cache cache = cache();
        AtomicInteger winners = new AtomicInteger();
        inThreads(10, i -> {
            if (cache.putIfAbsent("key", i) == null) {
                winners.incrementAndGet();
            }
        });
        assertThat(winners).hasValue(1);
    }

    @Test
    void whatIsEvictedIsGoneAtOnce() {
        Cache cache = cache();
        cache.put("key", "george");
        assertThat(cache.evictIfPresent("key")).isTrue();
        assertThat(cache.get("key")).isNull();
        assertThat(cache.evictIfPresent("key")).isFalse();
        cache.put("key", "george");
        cache.evict("key");
        assertThat(cache.get("key")).isNull();
    }

    @Test
    void aClearedCacheIsEmpty() {
        Cache cache = cache();
        cache.put("enescu", "george");
        cache.put("vlaicu", "aurel");
        cache.clear();
        assertThat(cache.get("vlaicu")).isNull();
        assertThat(cache.get("enescu")).isNull();
        assertThat(cache.invalidate()).isFalse();
        cache.put("enescu", "george");
        assertThat(cache.invalidate()).isTrue();
        assertThat(cache.get("enescu")).isNull();
    }

    @Test
    void whatIsAbsentIsLoaded() {
        Cache cache = cache();
        assertThat(cache.get("key", () -> "test")).isEqualTo("test");
        assertThat(value(cache.get("key"))).isEqualTo("test");
        assertThat(cache.<@Nullable Object>get("null", () -> null)).isNull();
        assertThat(value(cache.get("null"))).isNull();
    }

    @Test
    void whatIsThereIsNotLoaded() {
        Cache cache = cache();
        cache.put("key", "existing");
        cache.put("null", null);
        for (String key : List.of("key", "null")) {
            Object found = cache.get(key, () -> {
                throw new IllegalStateException("loaded");
            });
            assertThat(found).isEqualTo(key.equals("key") ? "existing" : null);
        }
    }

    @Test
    void aFailedLoadIsToldAndPutsNothing() {
        Cache cache = cache();
        assertThatExceptionOfType(ValueRetrievalException.class)
                .isThrownBy(() -> cache.get("key", () -> {
                    throw new UnsupportedOperationException("expected");
                }))
                .withCauseInstanceOf(UnsupportedOperationException.class);
        assertThat(cache.get("key")).isNull();
    }

    @Test
    void manyCallersLoadOnce() throws Exception {
        Cache cache = cache();
        AtomicInteger loads = new AtomicInteger();
        CountDownLatch started = new CountDownLatch(1);
        List<@Nullable Object> results = new ArrayList<>();
        inThreads(10, i -> {
            started.countDown();
            Object result = cache.get("key", () -> {
                started.await();
                return loads.incrementAndGet();
            });
            synchronized (results) {
                results.add(result);
            }
        });
        assertThat(results).hasSize(10).containsOnly(1);
    }

    @Test
    void aReadThatDoesNotWait() {
        Cache cache = cache();
        assertThat(join(cache.retrieve("key"))).isNull();
        cache.put("key", "george");
        cache.put("null", null);
        assertThat(value((ValueWrapper) join(cache.retrieve("key")))).isEqualTo("george");
        assertThat(value((ValueWrapper) join(cache.retrieve("null")))).isNull();
    }

    @Test
    void aLoadThatNobodyWaitsFor() {
        Cache cache = cache();
        CompletableFuture<@Nullable Object> source = new CompletableFuture<>();
        AtomicInteger loads = new AtomicInteger();
        List<CompletableFuture<@Nullable Object>> results = new ArrayList<>();
        for (int i = 0; i < 5; i++) { // each returns while the value is not there
            results.add(cache.retrieve("key", () -> {
                loads.incrementAndGet();
                return source;
            }));
        }
        assertThat(results).noneMatch(CompletableFuture::isDone);
        source.complete("loaded");
        assertThat(results).allSatisfy(result -> assertThat(join(result)).isEqualTo("loaded"));
        assertThat(loads).hasValue(1);
        assertThat(value(cache.get("key"))).isEqualTo("loaded");
        CompletableFuture<Object> again =
                cache.retrieve("key", () -> CompletableFuture.failedFuture(new AssertionError("loaded")));
        assertThat(join(again)).isEqualTo("loaded");
    }

    /** Otherwise the old value would live for its whole time to live. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void whatIsEvictedWhileItIsLoadedIsNotStored(boolean all) {
        Cache cache = cache();
        Runnable evict = all ? cache::clear : () -> cache.evict("key");
        assertThat(cache.get("key", () -> {
                    evict.run();
                    return "old";
                }))
                .isEqualTo("old");
        assertThat(cache.get("key")).isNull();
        CompletableFuture<Object> source = new CompletableFuture<>();
        CompletableFuture<Object> old = cache.retrieve("key", () -> source);
        evict.run();
        CompletableFuture<Object> fresh = cache.retrieve("key", () -> CompletableFuture.completedFuture("new"));
        source.complete("old");
        assertThat(join(old)).isEqualTo("old");
        assertThat(join(fresh)).isEqualTo("new");
        assertThat(value(cache.get("key"))).isEqualTo("new");
    }

    /** As cached methods that call each other, by more callers than any pool has threads. */
    @Test
    void loadsThatWaitForOtherLoadsEnd() throws Exception {
        Cache cache = cache();
        inThreads(40, i -> {
            CompletableFuture<Object> outer = cache.retrieve(
                    "outer" + i,
                    () -> CompletableFuture.completedFuture(
                            join(cache.retrieve("inner" + i, () -> CompletableFuture.completedFuture("inner")))));
            assertThat(join(outer)).isEqualTo("inner");
        });
    }

    @Test
    void aLoaderRunsInItsCallersThread() {
        List<Thread> threads = new ArrayList<>();
        Object loaded = join(cache().retrieve("key", () -> {
            threads.add(Thread.currentThread());
            return CompletableFuture.completedFuture("loaded");
        }));
        assertThat(loaded).isEqualTo("loaded");
        assertThat(threads).containsExactly(Thread.currentThread());
    }

    @Test
    void aLoadByWayOfItsOwnKeyIsRefused() {
        Cache cache = cache();
        assertThatExceptionOfType(ValueRetrievalException.class)
                .isThrownBy(() -> cache.get("key", () -> cache.get("key", () -> "value")))
                .withRootCauseInstanceOf(IllegalStateException.class);
    }

    @Test
    void nullCanBeLoadedThatWay() {
        CompletableFuture<@Nullable Object> nothing = CompletableFuture.completedFuture(null);
        CompletableFuture<@Nullable Object> loaded = cache().retrieve("key", () -> nothing);
        assertThat(join(loaded)).isNull();
        assertThat(value(cache().get("key"))).isNull();
    }

    @Test
    void aFailedLoadThatNobodyWaitsForPutsNothingAndTheNextOneLoads() {
        Cache cache = cache();
        assertThatThrownBy(() -> join(cache.retrieve("key", () -> CompletableFuture.failedFuture(new Expected()))))
                .isInstanceOf(CompletionException.class)
                .hasRootCauseInstanceOf(Expected.class);
        assertThat(cache.get("key")).isNull();
        assertThatThrownBy(() -> join(cache.retrieve("key", () -> {
                    throw new Expected();
                })))
                .hasRootCauseInstanceOf(Expected.class);
        assertThat(join(cache.retrieve("key", () -> CompletableFuture.completedFuture("loaded"))))
                .isEqualTo("loaded");
    }

    static final class Expected extends RuntimeException {
        static final long serialVersionUID = 1;
    }

    private static <T extends @Nullable Object> T join(@Nullable CompletableFuture<T> future) {
        return requireNonNull(future).orTimeout(20, SECONDS).join();
    }

    interface Work {
        void run(int number) throws Exception;
    }

    private static void inThreads(int count, Work work) throws Exception {
        try (SimpleAsyncTaskExecutor executor = new SimpleAsyncTaskExecutor()) {
            List<Future<?>> running = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                int number = i;
                running.add(executor.submit(() -> {
                    work.run(number);
                    return null;
                }));
            }
            for (Future<?> one : running) {
                Object unused = one.get(20, SECONDS);
            }
        }
    }
}
