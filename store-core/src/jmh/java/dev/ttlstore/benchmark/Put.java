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
import org.openjdk.jmh.annotations.Warmup;

import dev.ttlstore.benchmark.peer.Configuration;
import dev.ttlstore.benchmark.peer.Peer;

/** Puts with a ttl, one after the other. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Fork(1)
@Warmup(iterations = 2, time = 1)
@Measurement(iterations = 5, time = 1)
public class Put {

    /** Who. */
    @Param({
        "TTL_STORE",
        "TTL_STORE_FULL",
        "SQLITE",
        "SQLITE_FULL",
        "PLAIN",
        "PLAIN_FULL",
        "ROCKSDB",
        "ROCKSDB_SYNC",
        "MAPDB",
        "MVSTORE",
        "MVSTORE_SYNC",
        "EHCACHE",
        "CAFFEINE",
        "REDIS_EVERYSEC",
        "REDIS_ALWAYS"
    })
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

    /** In the place of a random entry. */
    @Benchmark
    public void overwrite(RandomEntry random) {
        bench.overwrite(random);
    }

    /** Under a key that is new, in a random group. */
    @Benchmark
    public void append(RandomEntry random) {
        bench.append(random);
    }
}
