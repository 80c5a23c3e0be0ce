package dev.ttlstore.spring.cache;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import dev.ttlstore.Codec;
import dev.ttlstore.Store;
import dev.ttlstore.serialization.AllowedClasses;
import dev.ttlstore.serialization.JavaCodec;
import dev.ttlstore.spring.MovableClock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

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
        manager.destroy();
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

    @Test
    void aLoadForWhichThereIsNoThreadFailsAndTheNextOneOfItsKeyIsMade() {
        AtomicBoolean noThreads = new AtomicBoolean(true);
        StoreCacheSettings settings = new StoreCacheSettings(Duration.ofMinutes(10), true, codec());
        StoreCache cache = new StoreCache("own", store.group("own", new CacheCodec("own", codec())), settings, work -> {
            if (noThreads.get()) {
                throw new OutOfMemoryError("unable to create native thread, on purpose");
            }
            work.run();
        });
        assertThat(cache.retrieve("key", () -> CompletableFuture.completedFuture("value")))
                .isCompletedExceptionally();
        noThreads.set(false);
        assertThat(cache.retrieve("key", () -> CompletableFuture.completedFuture("value")))
                .isCompletedWithValue("value");
    }

    @Test
    void aCallerReadsItselfWhileTooManyAsynchronousReadsWait() {
        CountDownLatch release = new CountDownLatch(1);
        StoreCacheManager held = new StoreCacheManager(
                store, name -> new StoreCacheSettings(Duration.ZERO, true, new HoldingCodec(release)), List.of());
        StoreCache cache = held.getCache("testCache");
        cache.put("held", "value");
        List<CompletableFuture<?>> reads = new ArrayList<>();
        int threads = Math.max(4, Runtime.getRuntime().availableProcessors());
        for (int i = 0; i < threads + StoreCacheManager.MAX_WAITING; i++) {
            reads.add(cache.retrieve("held"));
        }
        assertThat(cache.retrieve("missing")).isCompleted();
        assertThat(reads).noneMatch(CompletableFuture::isDone);
        release.countDown();
        assertThat(reads).allSatisfy(read -> assertThat(read).succeedsWithin(Duration.ofSeconds(30)));
        held.destroy();
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
        assertThatThrownBy(() -> cache().put("key", new Thread.State[] {Thread.State.NEW}))
                .hasMessageContaining("java.lang.Thread$State may not be deserialized")
                .hasMessageContaining("'property'");
        assertThat(cache().get("key")).isNull();
    }

    /** Decodes nothing before it may. */
    private record HoldingCodec(CountDownLatch release) implements Codec<Object> {
        @Override
        public byte[] encode(Object value) {
            return value.toString().getBytes(StandardCharsets.UTF_8);
        }

        @Override
        public Object decode(byte[] bytes) {
            try {
                release.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            return new String(bytes, StandardCharsets.UTF_8);
        }
    }
}
