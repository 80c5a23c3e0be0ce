package dev.ttlstore.benchmark;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
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
import dev.ttlstore.benchmark.peer.Peer;

/** The longest that a put waits in a long run of them, as for a checkpoint of the write-ahead log. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Fork(1)
@Warmup(iterations = 1)
@Measurement(iterations = 1)
public class PutStall {

    /** Who. */
    @Param({"TTL_STORE", "SQLITE"})
    public Configuration peer;

    /** How long the run is. */
    @Param("15")
    public int seconds;

    private Workbench<Peer> bench;

    /** Opens and fills it. */
    @Setup
    public void open(Size size) {
        bench = Workbench.loaded(peer, size);
    }

    /** Closes it. */
    @TearDown
    public void close() {
        bench.close();
    }

    /** Puts in the place of random entries. */
    @Benchmark
    public void puts(PutLatency latency, RandomEntry random) {
        latency.measure(Duration.ofSeconds(seconds), () -> bench.overwrite(random));
    }
}
