package dev.ttlstore.spring.benchmark;

import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.locks.Lock;

import org.springframework.context.support.GenericApplicationContext;
import org.springframework.integration.jdbc.lock.DefaultLockRepository;
import org.springframework.integration.jdbc.lock.JdbcLockRegistry;
import org.springframework.integration.jdbc.metadata.JdbcMetadataStore;
import org.springframework.integration.metadata.ConcurrentMetadataStore;
import org.springframework.integration.redis.metadata.RedisMetadataStore;
import org.springframework.integration.redis.util.RedisLockRegistry;
import org.springframework.integration.support.locks.LockRegistry;

import dev.ttlstore.benchmark.turns.Callers;
import dev.ttlstore.spring.lock.StoreLockRegistry;
import dev.ttlstore.spring.metadata.StoreMetadataStore;

/** Spring Integration's locks and metadata. */
final class IntegrationRaces {

    private final Race lock = new Race("lock registry: lock and unlock", 1);
    private final Race locks = new Race("lock registry: lock and unlock, 8 threads, a lock each", 8);
    private final Race get = new Race("metadata: get", 1);
    private final Race put = new Race("metadata: put", 1);
    private final Race fresh = new Race("metadata: putIfAbsent of a new key", 1);

    private IntegrationRaces() {}

    static List<Race> of(Bench bench) {
        IntegrationRaces races = new IntegrationRaces();
        bench.stores().forEach((side, store) -> {
            races.add(side, new StoreLockRegistry(store, Duration.ofSeconds(10)));
            races.add(side, new StoreMetadataStore(store, Duration.ZERO));
        });
        bench.database().script("org/springframework/integration/jdbc/schema-postgresql.sql");
        races.add(Side.JDBC, jdbcLocks(bench.database()));
        JdbcMetadataStore metadata = new JdbcMetadataStore(bench.database().pool());
        metadata.afterPropertiesSet();
        races.add(Side.JDBC, metadata);
        bench.redis().forEach((side, redis) -> {
            races.add(side, new RedisLockRegistry(redis.connections(), "locks"));
            races.add(side, new RedisMetadataStore(redis.connections(), "metadata"));
        });
        return List.of(races.lock, races.locks, races.get, races.put, races.fresh);
    }

    private static LockRegistry<?> jdbcLocks(Database database) {
        DefaultLockRepository repository = new DefaultLockRepository(database.pool());
        repository.setTransactionManager(database.transactions());
        repository.setApplicationContext(new GenericApplicationContext());
        repository.afterPropertiesSet();
        repository.afterSingletonsInstantiated();
        return new JdbcLockRegistry(repository);
    }

    private void add(Side side, LockRegistry<?> registry) {
        Callers.Call own =
                () -> lock(registry.obtain("report of " + Thread.currentThread().getId()));
        lock.add(side, own);
        locks.add(side, own);
    }

    private static void lock(Lock lock) {
        Race.require(lock.tryLock(), "the lock is held");
        lock.unlock();
    }

    private void add(Side side, ConcurrentMetadataStore store) {
        Bench.forEachKey(key -> store.put("file " + key, "seen"));
        get.add(side, () -> Race.require("seen".equals(store.get("file " + Bench.random())), "no metadata"));
        put.add(side, () -> store.put("file " + Bench.random(), "seen"));
        fresh.add(
                side,
                () -> Race.require(
                        store.putIfAbsent(UUID.randomUUID().toString(), "seen") == null, "the key is not new"));
    }
}
