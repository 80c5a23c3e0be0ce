package dev.ttlstore.spring.lock;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.locks.Lock;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.core.task.SimpleAsyncTaskExecutor;

import com.zaxxer.hikari.HikariDataSource;

import dev.ttlstore.Store;
import dev.ttlstore.TextGroup;
import dev.ttlstore.postgresql.PostgreSql;
import dev.ttlstore.spring.TestDatabase;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** Locks in a store that several instances share. */
@SuppressWarnings({"NullAway.Init", "LockNotBeforeTry"
}) // the stores are opened before the tests, which are about held locks
@Tag("postgresql")
@Tag("variant")
class StoreLockRegistryOnPostgreSqlTests extends StoreLockRegistryContract {

    private static final Logger log = LoggerFactory.getLogger(StoreLockRegistryOnPostgreSqlTests.class);

    private static final String SCHEMA = TestDatabase.freshName();

    private static HikariDataSource pool;
    private static Store store;
    private static Store second;

    private final StoreLockRegistry registry = new StoreLockRegistry(store, TTL);
    private final StoreLockRegistry other = new StoreLockRegistry(second, TTL);

    /** Opens the stores of two instances once, because it takes longer than most tests. */
    @BeforeAll
    static void openStores() {
        pool = new HikariDataSource();
        pool.setDataSource(TestDatabase.dataSource());
        pool.setMaximumPoolSize(24);
        pool.setMinimumIdle(0);
        store = open();
        second = open();
    }

    private static Store open() {
        return Store.builder().engine(PostgreSql.on(pool).schema(SCHEMA)).open();
    }

    @AfterAll
    static void closeStores() {
        second.close();
        store.close();
        pool.close();
    }

    @BeforeEach
    void begin() {
        long unused = store.deletePrefix("");
    }

    @Override
    StoreLockRegistry registry() {
        return registry;
    }

    @Override
    StoreLockRegistry other() {
        return other;
    }

    @Override
    Store store() {
        return store;
    }

    @Override
    Store otherStore() {
        return second;
    }

    @AfterEach
    void close() {
        registry.destroy();
        other.destroy();
    }

    @Test
    void noUpdateIsLostIfInstancesRaceForTheLock() throws Exception {
        int threads = 3;
        int times = 20;
        try (SimpleAsyncTaskExecutor executor = new SimpleAsyncTaskExecutor()) {
            List<Future<?>> running = new ArrayList<>();
            for (int thread = 0; thread < threads; thread++) {
                running.add(executor.submit(() -> count(registry, store, times)));
                running.add(executor.submit(() -> count(other, second, times)));
            }
            for (Future<?> one : running) {
                Object unused = one.get(120, SECONDS);
            }
        }
        assertThat(store.group("counted").get("count")).contains(String.valueOf(2 * threads * times));
        assertThat(entries().count()).isZero();
    }

    /** Counts so that a second thread in between would lose an update. */
    private static void count(StoreLockRegistry registry, Store store, int times) {
        TextGroup counted = store.group("counted");
        Lock lock = registry.obtain("counter");
        for (int i = 0; i < times; i++) {
            lock.lock();
            int count = Integer.parseInt(counted.get("count").orElse("0"));
            long unused = counted.put("count", String.valueOf(count + 1));
            lock.unlock();
        }
    }

    @Test
    void aWaitingInstanceGetsTheLockTimeAndAgain() throws Exception {
        List<Long> late = new ArrayList<>();
        try (LockThread waiter = new LockThread()) {
            for (int i = 0; i < 5; i++) {
                Lock lock = registry.obtain("name");
                lock.lock();
                CompletableFuture<Long> locked = waiter.begin(() -> {
                    other.obtain("name").lock();
                    long time = System.nanoTime();
                    other.obtain("name").unlock();
                    return time;
                });
                await().until(() -> other.size() == 1);
                waiter.awaitWaiting();
                lock.unlock();
                long unlocked = System.nanoTime();
                late.add((locked.get(60, SECONDS) - unlocked) / 1_000_000);
            }
        }
        log.info("The lock was handed over after {} ms", late);
        assertThat(late).hasSize(5);
    }

    @Test
    void anInstanceThatDiesWithoutUnlockingHasTheLockUntilItsTtlHasPassed() throws Exception {
        Store dying = open();
        long start = System.nanoTime();
        new StoreLockRegistry(dying, Duration.ofSeconds(2)).obtain("name").lock();
        long locked = System.nanoTime();
        dying.close();
        assertThat(registry.obtain("name").tryLock()).isFalse();
        assertThat(registry.obtain("name").tryLock(60, SECONDS)).isTrue();
        long end = System.nanoTime();
        log.info("The lock of a dead instance was free {} ms after its ttl", (end - locked) / 1_000_000 - 2_000);
        assertThat(Duration.ofNanos(end - start)).isGreaterThanOrEqualTo(Duration.ofSeconds(2));
        registry.obtain("name").unlock();
    }

    @Test
    void aRegistryRenewsItsLocksByItself() throws Exception {
        StoreLockRegistry renewing = new StoreLockRegistry(store, Duration.ofSeconds(3));
        renewing.renewAutomatically();
        Lock lock = renewing.obtain("name");
        lock.lock();
        long version = entries().entry("name").orElseThrow().version();
        long[] last = {version};
        int[] renewals = {0};
        await().atMost(Duration.ofSeconds(60)).until(() -> {
            long now = entries().entry("name").orElseThrow().version();
            renewals[0] += now == last[0] ? 0 : 1;
            last[0] = now;
            return renewals[0] == 4;
        });
        assertThat(other.obtain("name").tryLock()).isFalse();
        lock.unlock();
        renewing.destroy();
    }
}
