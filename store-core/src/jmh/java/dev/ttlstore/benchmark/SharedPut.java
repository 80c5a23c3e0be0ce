package dev.ttlstore.benchmark;

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
import org.openjdk.jmh.annotations.Threads;
import org.openjdk.jmh.annotations.Warmup;

import dev.ttlstore.benchmark.peer.Configuration;
import dev.ttlstore.benchmark.peer.Peer;

/** Puts that survive a power cut, by threads that can share the wait for the disk. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Fork(1)
@Warmup(iterations = 2, time = 1)
@Measurement(iterations = 5, time = 1)
public class SharedPut {

    /** Who. */
    @Param({"TTL_STORE_FULL", "PLAIN_FULL", "ROCKSDB_SYNC", "REDIS_ALWAYS"})
    public Configuration peer;

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

    /** By 8 threads. */
    @Benchmark
    @Threads(8)
    public void by8Threads(RandomEntry random) {
        bench.overwrite(random);
    }

    /** By 32 threads. */
    @Benchmark
    @Threads(32)
    public void by32Threads(RandomEntry random) {
        bench.overwrite(random);
    }

    /** By 128 threads. */
    @Benchmark
    @Threads(128)
    public void by128Threads(RandomEntry random) {
        bench.overwrite(random);
    }
}
