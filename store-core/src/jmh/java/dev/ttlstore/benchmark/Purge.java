package dev.ttlstore.benchmark;

import java.time.Duration;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;

import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

import dev.ttlstore.benchmark.peer.Configuration;
import dev.ttlstore.benchmark.peer.Dataset;
import dev.ttlstore.benchmark.peer.Peer;
import dev.ttlstore.benchmark.peer.TablePeer;

/** Removing a great many expired entries, beside one DELETE for all of them, and one for each thousand. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Fork(1)
@Warmup(iterations = 1)
@Measurement(iterations = 3)
public class Purge {

    /** Who. */
    @Param({"TTL_STORE", "SQLITE", "PLAIN"})
    public Configuration peer;

    /** How many have expired. */
    @Param("1000000")
    public int rows;

    /** The bytes of a value. */
    @Param("100")
    public int valueSize;

    private MovableClock clock;
    private Workbench<TablePeer> bench;

    /** Opens it. */
    @Setup
    public void open() {
        clock = new MovableClock();
        bench = Workbench.empty(
                at -> peer.open(TablePeer.class, at, clock), new Dataset("group", rows, 100, valueSize));
    }

    /** Fills it with entries that expire one page after the other, in no order, and lets all of them expire. */
    @Setup(Level.Iteration)
    public void expire() {
        SplittableRandom random = new SplittableRandom(42);
        bench.peer().load(bench.data(), page -> Duration.ofMillis(1 + random.nextLong(Peer.TTL.toMillis())));
        clock.advance(Peer.TTL);
    }

    /** Closes it. */
    @TearDown
    public void close() {
        bench.close();
    }

    /** All of them. */
    @Benchmark
    public long purge() {
        return bench.peer().purge();
    }

    /** All of them, with a commit for each thousand. TTL Store does the same as in {@link #purge}. */
    @Benchmark
    public long inChunks() {
        return bench.peer().purgeInChunks();
    }
}
