package dev.ttlstore.postgresql;

import java.sql.SQLException;
import java.util.concurrent.TimeUnit;

import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Threads;
import org.openjdk.jmh.annotations.Warmup;

/** Single operations beside one statement by hand on the same server. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Fork(1)
@Warmup(iterations = 2, time = 1)
@Measurement(iterations = 3, time = 1)
public class BesideJdbc {

    /** How many counters are a few: fewer than the last rows that a node knows. */
    private static final int FEW = 500;

    /** Reads a random entry. */
    @Benchmark
    public boolean get(Bench bench) {
        int e = bench.random();
        return bench.handle(e).get(bench.key(e)).isPresent();
    }

    /** The same by hand. */
    @Benchmark
    public boolean getByHand(Bench bench) throws SQLException {
        int e = bench.random();
        return bench.hand().get(bench.group(e), bench.key(e)) != null;
    }

    /** Overwrites a random entry. */
    @Benchmark
    public long put(Bench bench) {
        int e = bench.random();
        return bench.handle(e).put(bench.key(e), bench.value(e), Bench.TTL);
    }

    /** The same by hand. */
    @Benchmark
    public long putByHand(Bench bench) throws SQLException {
        int e = bench.random();
        return bench.hand().put(bench.group(e), bench.key(e), bench.value(e), Bench.TTL_MILLIS);
    }

    /** Puts under a new key. */
    @Benchmark
    public long putNew(Bench bench) {
        int e = bench.random();
        return bench.handle(e).put(bench.freshKey(), bench.value(e), Bench.TTL);
    }

    /** The same by hand. */
    @Benchmark
    public long putNewByHand(Bench bench) throws SQLException {
        int e = bench.random();
        return bench.hand().put(bench.group(e), bench.freshKey(), bench.value(e), Bench.TTL_MILLIS);
    }

    /** Puts under a new key unless it is there. */
    @Benchmark
    public boolean putIfAbsent(Bench bench) {
        int e = bench.random();
        return bench.handle(e)
                .putIfAbsent(bench.freshKey(), bench.value(e), Bench.TTL)
                .isPresent();
    }

    /** The same by hand. */
    @Benchmark
    public boolean putIfAbsentByHand(Bench bench) throws SQLException {
        int e = bench.random();
        return bench.hand().putIfAbsent(bench.group(e), bench.freshKey(), bench.value(e), Bench.TTL_MILLIS) == 1;
    }

    /** Compares and sets; it succeeds. */
    @Benchmark
    public boolean replace(Bench bench) {
        int e = bench.random();
        return bench.handle(e)
                .replace(bench.key(e), bench.value(e), bench.value(e), Bench.TTL)
                .isPresent();
    }

    /** The same by hand. */
    @Benchmark
    public boolean replaceByHand(Bench bench) throws SQLException {
        int e = bench.random();
        return bench.hand().replace(bench.group(e), bench.key(e), bench.value(e), bench.value(e), Bench.TTL_MILLIS)
                == 1;
    }

    /** Counts up. */
    @Benchmark
    public long increment(Bench bench) {
        int e = bench.random();
        return bench.counters(e).increment(bench.key(e));
    }

    /** The same by hand. */
    @Benchmark
    public long incrementByHand(Bench bench) throws SQLException {
        int e = bench.random();
        return bench.hand().increment(bench.group(e), bench.key(e), Bench.TTL_MILLIS);
    }

    /** Counts up one of a few counters, as a rate limit does. */
    @Benchmark
    public long incrementFew(Bench bench) {
        int e = bench.random() % FEW;
        return bench.counters(e).increment(bench.key(e));
    }

    /** The same by hand. */
    @Benchmark
    public long incrementFewByHand(Bench bench) throws SQLException {
        int e = bench.random() % FEW;
        return bench.hand().increment(bench.group(e), bench.key(e), Bench.TTL_MILLIS);
    }

    /** Renews a ttl. */
    @Benchmark
    public boolean renew(Bench bench) {
        int e = bench.random();
        return bench.handle(e).expire(bench.key(e), Bench.TTL);
    }

    /** The same by hand. */
    @Benchmark
    public boolean renewByHand(Bench bench) throws SQLException {
        int e = bench.random();
        return bench.hand().renew(bench.group(e), bench.key(e), Bench.TTL_MILLIS) == 1;
    }

    /** Takes an entry, each once. */
    @Benchmark
    public boolean take(Bench bench) {
        int e = bench.next();
        return bench.handle(e).take(bench.key(e)).isPresent();
    }

    /** The same by hand. */
    @Benchmark
    public boolean takeByHand(Bench bench) throws SQLException {
        int e = bench.next();
        return bench.hand().take(bench.group(e), bench.key(e)) != null;
    }

    /** Overwrites random entries by 128 threads. */
    @Benchmark
    @Threads(128)
    public long putBy128(Bench bench) {
        return put(bench);
    }

    /** The same by hand. */
    @Benchmark
    @Threads(128)
    public long putBy128ByHand(Bench bench) throws SQLException {
        return putByHand(bench);
    }
}
