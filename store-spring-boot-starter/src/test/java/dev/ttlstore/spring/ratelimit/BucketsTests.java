package dev.ttlstore.spring.ratelimit;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.core.task.SimpleAsyncTaskExecutor;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;

import dev.ttlstore.Group;
import dev.ttlstore.Store;
import dev.ttlstore.postgresql.PostgreSql;
import dev.ttlstore.spring.StarterRunner;
import dev.ttlstore.spring.TestDatabase;

import io.github.bucket4j.BucketConfiguration;
import io.github.bucket4j.TokensInheritanceStrategy;
import io.github.bucket4j.distributed.AsyncBucketProxy;
import io.github.bucket4j.distributed.BucketProxy;
import io.github.bucket4j.distributed.proxy.ProxyManager;

import static java.util.concurrent.CompletableFuture.completedFuture;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

/** What Bucket4j's kit does not test. */
class BucketsTests {

    private static BucketConfiguration limit(long capacity, long initial) {
        return BucketConfiguration.builder()
                .addLimit(bandwidth -> bandwidth
                        .capacity(capacity)
                        .refillGreedy(capacity, Duration.ofHours(1))
                        .initialTokens(initial))
                .build();
    }

    /** Three instances, ten thousand calls. */
    @Tag("postgresql")
    @Test
    void notOneCallTooManyIsAllowedOnThreeInstances() throws Exception {
        String schema = TestDatabase.freshName();
        int limit = 700;
        BucketConfiguration configuration = BucketConfiguration.builder()
                .addLimit(bandwidth -> bandwidth.capacity(limit).refillIntervally(limit, Duration.ofDays(1)))
                .build();
        AtomicInteger allowed = new AtomicInteger();
        List<Store> stores = new ArrayList<>();
        HikariConfig pool = new HikariConfig();
        pool.setDataSource(TestDatabase.dataSource());
        pool.setMaximumPoolSize(12);
        try (HikariDataSource source = new HikariDataSource(pool);
                SimpleAsyncTaskExecutor executor = new SimpleAsyncTaskExecutor()) {
            List<Future<?>> running = new ArrayList<>();
            for (int node = 0; node < 3; node++) {
                Store store = Store.builder()
                        .engine(PostgreSql.on(source).schema(schema))
                        .open();
                stores.add(store);
                BucketProxy bucket =
                        StoreProxyManager.builderFor(store).build().builder().build("client", () -> configuration);
                for (int thread = 0; thread < 2; thread++) {
                    running.add(executor.submit(() -> {
                        for (int call = 0; call < 1_667; call++) {
                            if (bucket.tryConsume(1)) {
                                allowed.incrementAndGet();
                            }
                        }
                    }));
                }
            }
            for (Future<?> one : running) {
                Object unused = one.get(120, TimeUnit.SECONDS);
            }
            stores.forEach(Store::close);
        }
        assertThat(allowed).hasValue(limit);
    }

    @Test
    void theProxyManagerOfTheStarterTakesAFewLines(@TempDir Path folder) {
        StarterRunner.at(folder)
                .withPropertyValues("store.rate-limits.enabled=true")
                .withBean(Calls.class)
                .run(context -> {
                    Calls calls = context.getBean(Calls.class);
                    for (int i = 0; i < 100; i++) {
                        assertThat(calls.isAllowed("127.0.0.1")).isTrue();
                    }
                    assertThat(calls.isAllowed("127.0.0.1")).isFalse();
                    assertThat(calls.isAllowed("127.0.0.2")).isTrue();
                });
    }

    static class Calls {
        private static final BucketConfiguration HUNDRED_A_DAY = BucketConfiguration.builder()
                .addLimit(limit -> limit.capacity(100).refillGreedy(100, Duration.ofDays(1)))
                .build();

        private final ProxyManager<String> buckets;

        Calls(ProxyManager<String> buckets) {
            this.buckets = buckets;
        }

        boolean isAllowed(String client) {
            return buckets.builder().build(client, () -> HUNDRED_A_DAY).tryConsume(1);
        }
    }

    @Test
    void anotherLimitAppliesToBucketsThatExistOnlyWithAVersion() {
        try (Store store = Store.inMemory()) {
            ProxyManager<String> buckets = StoreProxyManager.builderFor(store).build();
            assertThat(buckets.builder().build("client", () -> limit(2, 2)).tryConsume(2))
                    .isTrue();
            BucketConfiguration next = limit(10, 10);
            assertThat(buckets.builder().build("client", () -> next).tryConsume(1))
                    .isFalse();
            BucketProxy bucket = buckets.builder()
                    .withImplicitConfigurationReplacement(2, TokensInheritanceStrategy.ADDITIVE)
                    .build("client", () -> next);
            assertThat(bucket.tryConsume(8)).isTrue();
            assertThat(bucket.tryConsume(1)).isFalse();
        }
    }

    /** An instance remembers a bucket that only it calls. */
    @Test
    void whatAnotherInstanceHasChangedCountsAtOnce() throws Exception {
        try (Store store = Store.inMemory()) {
            BucketConfiguration ten = limit(10, 10);
            BucketProxy one =
                    StoreProxyManager.builderFor(store).build().builder().build("client", () -> ten);
            BucketProxy other =
                    StoreProxyManager.builderFor(store).build().builder().build("client", () -> ten);
            for (int i = 0; i < 3; i++) {
                assertThat(one.tryConsume(1)).isTrue();
            }
            other.addTokens(2);
            assertThat(one.getAvailableTokens()).isEqualTo(9);
            for (int i = 0; i < 3; i++) {
                assertThat(one.tryConsume(2)).isTrue();
            }
            assertThat(one.tryConsume(9)).isFalse();
            other.addTokens(7);
            assertThat(one.tryConsume(9)).isTrue();
            assertThat(other.tryConsume(1)).isTrue();
            assertThat(one.tryConsume(1)).isFalse();
            StoreProxyManager<String> manager =
                    StoreProxyManager.builderFor(store).build();
            AsyncBucketProxy async = manager.asAsync().builder().build("async", () -> completedFuture(ten));
            for (int i = 0; i < 3; i++) {
                assertThat(async.tryConsume(2).get()).isTrue();
            }
            assertThat(async.tryConsume(5).get()).isFalse();
            manager.removeProxy("async");
            assertThat(async.tryConsume(5).get()).isTrue();
        }
    }

    @Test
    void aBucketNeedsAKey() {
        try (Store store = Store.inMemory()) {
            ProxyManager<String> buckets = StoreProxyManager.builderFor(store).build();
            assertThatNullPointerException()
                    .isThrownBy(() -> buckets.removeProxy(null))
                    .withMessage("'key' must not be null");
        }
    }

    @Test
    void aBucketExpiresOnceItIsFullAgain() {
        try (Store store = Store.inMemory()) {
            BucketProxy bucket =
                    StoreProxyManager.builderFor(store).build().builder().build("client", () -> limit(60, 60));
            assertThat(bucket.tryConsume(30)).isTrue();
            assertThat(store.group(StoreProxyManager.GROUP, dev.ttlstore.Codec.bytes())
                            .entry("client")
                            .orElseThrow()
                            .ttl())
                    .isBetween(Duration.ofMinutes(29), Duration.ofMinutes(32));
        }
    }

    /** A new one would start with less than the old one has by then. */
    @Test
    void aBucketThatDoesNotStartFullDoesNotExpire() {
        try (Store store = Store.inMemory()) {
            BucketProxy bucket =
                    StoreProxyManager.builderFor(store).build().builder().build("client", () -> limit(60, 10));
            assertThat(bucket.tryConsume(5)).isTrue();
            assertThat(store.group(StoreProxyManager.GROUP, dev.ttlstore.Codec.bytes())
                            .entry("client")
                            .orElseThrow()
                            .expiresAt())
                    .isNull();
        }
    }

    /** They would be gone with a bucket that expires when it is full. */
    @Test
    void tokensBeyondTheCapacityStayUntilTheyAreUsed() {
        try (Store store = Store.inMemory()) {
            BucketProxy bucket =
                    StoreProxyManager.builderFor(store).build().builder().build("client", () -> limit(60, 60));
            bucket.forceAddTokens(100);
            Group<byte[]> buckets = store.group(StoreProxyManager.GROUP, dev.ttlstore.Codec.bytes());
            assertThat(buckets.entry("client").orElseThrow().expiresAt()).isNull();
            assertThat(bucket.tryConsume(101)).isTrue();
            assertThat(buckets.entry("client").orElseThrow().expiresAt()).isNotNull();
        }
    }

    /** As headers of clients are. */
    @Test
    void aKeyMayBeAnyText() {
        try (Store store = Store.inMemory()) {
            StoreProxyManager<String> manager =
                    StoreProxyManager.builderFor(store).build();
            for (String key : List.of("", "a".repeat(5_000), "a".repeat(5_000) + "b", "a\0b", "a\ud800b")) {
                BucketProxy bucket = manager.builder().build(key, () -> limit(1, 1));
                assertThat(bucket.tryConsume(1)).isTrue();
                assertThat(bucket.tryConsume(1)).isFalse();
                manager.removeProxy(key);
                assertThat(bucket.tryConsume(1)).isTrue();
            }
        }
    }

    @Test
    void aBucketCanBeRemovedAndKeysCanBeOfAnyClass() {
        try (Store store = Store.inMemory()) {
            StoreProxyManager<Integer> manager = StoreProxyManager.<Integer>builderFor(store, key -> "user-" + key)
                    .group("limits")
                    .build();
            assertThat(manager.builder().build(7, () -> limit(1, 1)).tryConsume(1))
                    .isTrue();
            assertThat(manager.builder().build(7, () -> limit(1, 1)).tryConsume(1))
                    .isFalse();
            assertThat(store.group("limits", dev.ttlstore.Codec.bytes()).keys()).containsExactly("user-7");
            manager.removeProxy(7);
            assertThat(manager.builder().build(7, () -> limit(1, 1)).tryConsume(1))
                    .isTrue();
        }
    }
}
