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

/** Reads of random entries among those that are hot; every peer can hold all of them in memory, hot or not. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Fork(1)
@Warmup(iterations = 2, time = 1)
@Measurement(iterations = 5, time = 1)
public class HotGet {

    /** Who. */
    @Param({
        "TTL_STORE_CACHED",
        "SQLITE",
        "PLAIN",
        "ROCKSDB",
        "MAPDB",
        "MVSTORE",
        "EHCACHE",
        "CAFFEINE",
        "REDIS_EVERYSEC"
    })
    public Configuration peer;

    /** How many entries are hot: few, so that caches are measured and not the way to the memory behind them. */
    @Param("2000")
    public int hot;

    private Workbench<Peer> bench;

    /** Opens and fills it, and reads everything once, so that caches are warm. */
    @Setup
    public void open(Size size) {
        bench = Workbench.loaded(peer, size);
        for (int i = 0; i < bench.data().size(); i++) {
            bench.get(i);
        }
    }

    /** Closes it. */
    @TearDown
    public void close() {
        bench.close();
    }

    /** By one thread. */
    @Benchmark
    @Threads(1)
    public byte[] oneThread(RandomEntry random) {
        return bench.get(random.below(hot));
    }

    /** By two threads. */
    @Benchmark
    @Threads(2)
    public byte[] twoThreads(RandomEntry random) {
        return bench.get(random.below(hot));
    }
}
