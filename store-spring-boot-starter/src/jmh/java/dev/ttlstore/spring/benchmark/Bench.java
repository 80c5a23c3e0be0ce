package dev.ttlstore.spring.benchmark;

import java.io.PrintStream;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.IntConsumer;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;

import javax.sql.DataSource;

import dev.ttlstore.Store;
import dev.ttlstore.benchmark.server.Folder;
import dev.ttlstore.benchmark.server.PeerUnavailableException;
import dev.ttlstore.postgresql.PostgreSql;

/** The stores, and the servers of their peers. */
final class Bench implements AutoCloseable {

    /** How many keys an operation on many of them chooses from. */
    static final int KEYS = 2_000;

    /** How many threads prepare a race, so that they share the waiting for a slow disk. */
    private static final int HELPERS = 8;

    private static final PrintStream OUT = System.out;

    private final Folder folder = new Folder();
    private final Database database;
    private final Map<Side, Store> stores = new EnumMap<>(Side.class);
    private final Map<Side, Redis> redis = new EnumMap<>(Side.class);

    /**
     * Starts everything. Redis is left out if it is not installed.
     *
     * @param fsync "on" if PostgreSQL's commits wait for the disk, as in production
     * @param eachWay how long a message to PostgreSQL takes, or one of its answers
     * @param wrapper wraps the pool of connections
     */
    Bench(String fsync, Duration eachWay, UnaryOperator<DataSource> wrapper) {
        database = new Database(folder.path().resolve("postgresql"), fsync, eachWay, wrapper);
        stores.put(
                Side.FILE,
                Store.builder().path(folder.path().resolve("file.db")).open());
        stores.put(
                Side.POSTGRESQL,
                Store.builder().engine(PostgreSql.on(database.pool())).open());
        try {
            redis.put(Side.REDIS, new Redis(folder.path().resolve("redis"), "everysec"));
            redis.put(Side.REDIS_ALWAYS, new Redis(folder.path().resolve("redis-always"), "always"));
        } catch (PeerUnavailableException e) {
            OUT.println(e.getMessage());
        }
    }

    Folder folder() {
        return folder;
    }

    Database database() {
        return database;
    }

    /** Returns our stores. */
    Map<Side, Store> stores() {
        return stores;
    }

    /** Returns the Redis servers, if Redis is installed. */
    Map<Side, Redis> redis() {
        return redis;
    }

    /** Does something for each of the numbers from 0 to the number of keys. */
    static void forEachKey(IntConsumer work) {
        ExecutorService helpers = Executors.newFixedThreadPool(HELPERS);
        try {
            IntStream.range(0, KEYS)
                    .mapToObj(key -> CompletableFuture.runAsync(() -> work.accept(key), helpers))
                    .toList()
                    .forEach(CompletableFuture::join);
        } finally {
            helpers.shutdownNow();
        }
    }

    /** Chooses one of the keys. */
    static int random() {
        return ThreadLocalRandom.current().nextInt(KEYS);
    }

    @Override
    public void close() {
        stores.values().forEach(Store::close);
        redis.values().forEach(Redis::close);
        database.close();
        folder.close();
    }
}
