package dev.ttlstore.benchmark;

import java.time.Duration;
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
import dev.ttlstore.benchmark.peer.TablePeer;

/** Removing few expired entries from among many that live: it should cost the same however many these are. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Fork(1)
@Warmup(iterations = 5)
@Measurement(iterations = 10)
public class SparsePurge {

    /** Who. */
    @Param({"TTL_STORE", "SQLITE", "PLAIN"})
    public Configuration peer;

    /** How many live. */
    @Param({"20000", "2000000"})
    public int entries;

    /** How many have expired. */
    @Param("1000")
    public int rows;

    /** The bytes of a value. */
    @Param("100")
    public int valueSize;

    private final RandomEntry random = new RandomEntry();
    private MovableClock clock;
    private Workbench<TablePeer> bench;

    /** Opens it, and fills it with what will live. */
    @Setup
    public void open() {
        clock = new MovableClock();
        bench = Workbench.empty(
                at -> peer.open(TablePeer.class, at, clock), new Dataset("group", entries, 100, valueSize));
        bench.peer().load(bench.data(), page -> Duration.ofDays(365));
    }

    /** Adds entries in random places, and lets them expire. */
    @Setup(Level.Iteration)
    public void expire() {
        Dataset data = bench.data();
        for (int i = 0; i < rows; i++) {
            int neighbour = random.of(data);
            bench.peer().put(data.group(neighbour), bench.freshKey(), data.value(neighbour), Duration.ofSeconds(1));
        }
        clock.advance(Duration.ofSeconds(1));
    }

    /** Closes it. */
    @TearDown
    public void close() {
        bench.close();
    }

    /** What has expired. */
    @Benchmark
    public long purge() {
        return bench.peer().purge();
    }
}
