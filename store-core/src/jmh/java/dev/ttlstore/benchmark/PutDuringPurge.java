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

import dev.ttlstore.Durability;
import dev.ttlstore.benchmark.peer.Dataset;
import dev.ttlstore.benchmark.peer.TtlStore;

/** How long single puts take while a purge of a great many entries goes on, and while none does. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Fork(1)
@Warmup(iterations = 1)
@Measurement(iterations = 3)
public class PutDuringPurge {

    private static final Duration IDLE = Duration.ofSeconds(3);

    /** Whether a purge goes on. */
    @Param({"false", "true"})
    public boolean purging;

    /** How many have expired. */
    @Param("1000000")
    public int expired;

    private MovableClock clock;
    private Workbench<TtlStore> bench;
    private Dataset shortLived;

    /** Opens it, and fills it with what will live. */
    @Setup
    public void open(Size size) {
        clock = new MovableClock();
        bench = Workbench.empty(at -> TtlStore.open(at, Durability.NORMAL, 0, clock), size.data());
        bench.peer().load(bench.data(), page -> Duration.ofDays(365));
        shortLived = new Dataset("short-lived", expired, 100, size.valueSize);
    }

    /** Adds what will expire, and lets it. */
    @Setup(Level.Iteration)
    public void expire() {
        if (purging) {
            bench.peer().load(shortLived, page -> Duration.ofSeconds(1));
            clock.advance(Duration.ofSeconds(1));
        }
    }

    /** Closes it. */
    @TearDown
    public void close() {
        bench.close();
    }

    /** Puts in the place of random entries until the purge is done; for some seconds if there is none. */
    @Benchmark
    public void puts(PutLatency latency, RandomEntry random) throws InterruptedException {
        if (!purging) {
            latency.measure(IDLE, () -> bench.overwrite(random));
            return;
        }
        Thread purge = new Thread(bench.peer()::purge, "purge");
        purge.start();
        latency.measure(purge::isAlive, () -> bench.overwrite(random));
        purge.join();
    }
}
