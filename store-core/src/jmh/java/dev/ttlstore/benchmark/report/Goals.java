package dev.ttlstore.benchmark.report;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;

import static dev.ttlstore.benchmark.report.Goal.atLeast;
import static dev.ttlstore.benchmark.report.Goal.atMost;
import static dev.ttlstore.benchmark.report.Goal.best;
import static dev.ttlstore.benchmark.report.Goal.ratio;

/** What the store shall reach. Ratios of rates: 1 is as fast, above 1 is faster. Ratios of costs are the other way round. */
final class Goals {

    private static final String OURS = "peer=TTL_STORE";
    private static final String OURS_FULL = "peer=TTL_STORE_FULL";
    private static final String OURS_CACHED = "peer=TTL_STORE_CACHED";
    private static final String RAW = "peer=SQLITE";
    private static final String RAW_FULL = "peer=SQLITE_FULL";
    private static final String ROCKSDB_SYNC = "peer=ROCKSDB_SYNC";
    private static final String REDIS_ALWAYS = "peer=REDIS_ALWAYS";

    private static final String HOT = "HotGet.oneThread";
    private static final String PUT = "Put.overwrite";
    private static final String APPEND = "Put.append";
    private static final String ASYNC = "AsyncPut.thousand";
    private static final String SHARED = "SharedPut.by128Threads";
    private static final String VIRTUAL = "VirtualThreadsPut.by1000VirtualThreads";

    private Goals() {}

    static List<Goal> all() {
        List<Goal> goals = new ArrayList<>();
        goals.add(atLeast(10, "hot get / RocksDB", r -> against(r, HOT, OURS_CACHED, "peer=ROCKSDB")));
        goals.add(atLeast(10, "hot get / MVStore", r -> against(r, HOT, OURS_CACHED, "peer=MVSTORE")));
        goals.add(atLeast(0.2, "hot get / Caffeine", r -> against(r, HOT, OURS_CACHED, "peer=CAFFEINE")));
        goals.add(atLeast(
                1.8,
                "hot get, two threads / one",
                r -> ratio(r.rate("HotGet.twoThreads", OURS_CACHED), r.rate(HOT, OURS_CACHED))));
        goals.add(atLeast(0.9, "cold get / SQLite", r -> against(r, "ColdGet.get", OURS, RAW)));
        goals.add(atLeast(0.85, "put / SQLite", r -> against(r, PUT, OURS, RAW)));
        goals.add(atLeast(0.9, "put, FULL / SQLite, FULL", r -> against(r, PUT, OURS_FULL, RAW_FULL)));
        goals.add(atLeast(1.2, "128 threads, FULL / RocksDB sync", r -> against(r, SHARED, OURS_FULL, ROCKSDB_SYNC)));
        goals.add(atLeast(
                3,
                "1,000 virtual threads, FULL / RocksDB sync at its best",
                r -> ratio(r.rate(VIRTUAL, OURS_FULL), bestShared(r, ROCKSDB_SYNC))));
        goals.add(atLeast(
                1.5,
                "1,000 virtual threads, FULL / Redis AOF always at its best",
                r -> ratio(r.rate(VIRTUAL, OURS_FULL), bestShared(r, REDIS_ALWAYS))));
        goals.add(atLeast(0.8, "async puts / SQLite's transaction", r -> against(r, ASYNC, OURS, RAW)));
        goals.add(atLeast(
                0.8, "async puts, FULL / SQLite's transaction, FULL", r -> against(r, ASYNC, OURS_FULL, RAW_FULL)));
        goals.add(atMost(1.3, "cost of replace / put", r -> costToPut(r, "Operations.replace")));
        goals.add(atMost(1.3, "cost of take / put", r -> costToPut(r, "Take.take", OURS)));
        goals.add(atMost(1.3, "cost of increment / put", r -> costToPut(r, "Increment.increment")));
        goals.add(atMost(
                1.3,
                "cost of putIfAbsent of a new key / put over an old one",
                r -> costToPut(r, "Operations.putIfAbsent")));
        goals.add(atMost(
                1.3,
                "cost of putIfAbsent of a new key / put of a new key",
                r -> ratio(r.rate(APPEND, OURS), r.rate("Operations.putIfAbsent"))));
        for (String entries : List.of("100", "100000")) {
            goals.add(atMost(
                    1.2, "cost of put with a quota / without, of " + entries + " entries", r -> quotaCost(r, entries)));
        }
        goals.add(atMost(
                1.2, "cost of renewing a ttl / put", r -> ratio(r.rate(PUT, OURS), r.rate("Renew.renew", OURS))));
        goals.add(atMost(
                1.2,
                "cost of put over an old key / of a new key",
                r -> ratio(r.rate(APPEND, OURS), r.rate(PUT, OURS))));
        goals.add(atLeast(
                400.0 / 365, "purge of 1,000,000 / SQLite's DELETE", r -> against(r, "Purge.purge", OURS, RAW)));
        goals.add(atLeast(
                1,
                "purge of 1,000,000 / SQLite's DELETE of a thousand each",
                r -> ratio(r.seconds("Purge.inChunks", RAW), r.seconds("Purge.inChunks", OURS))));
        goals.add(atMost(5, "p99.9 of a put while purging / idle", Goals::putWhilePurging));
        goals.add(atMost(
                1.5,
                "time to purge 1,000 of 2,000,000 / of 20,000",
                r -> ratio(
                        r.seconds("SparsePurge.purge", OURS, "entries=2000000"),
                        r.seconds("SparsePurge.purge", OURS, "entries=20000"))));
        goals.add(atLeast(1_000_000, "getAll, entries per second", r -> r.rate("GetAll.getAll", OURS)));
        goals.add(atMost(
                1.3,
                "time to open 2,000,000 entries / an empty file",
                r -> ratio(r.seconds("Open.open", "entries=2000000"), r.seconds("Open.open", "entries=0"))));
        return goals;
    }

    private static OptionalDouble against(Results results, String benchmark, String ours, String other) {
        return ratio(results.rate(benchmark, ours), results.rate(benchmark, other));
    }

    private static OptionalDouble bestShared(Results results, String peer) {
        return best(
                results.rate("SharedPut.by8Threads", peer),
                results.rate("SharedPut.by32Threads", peer),
                results.rate(SHARED, peer),
                results.rate(VIRTUAL, peer));
    }

    private static OptionalDouble costToPut(Results results, String benchmark, String... params) {
        return ratio(results.rate("Operations.put"), results.rate(benchmark, params));
    }

    private static OptionalDouble quotaCost(Results results, String entries) {
        String size = "scopeEntries=" + entries;
        return ratio(
                results.rate("ScopePut.overwrite", size, "quota=false"),
                results.rate("ScopePut.overwrite", size, "quota=true"));
    }

    private static OptionalDouble putWhilePurging(Results results) {
        return ratio(
                results.counter("p999Micros", "PutDuringPurge.puts", "purging=true"),
                results.counter("p999Micros", "PutDuringPurge.puts", "purging=false"));
    }
}
