package dev.ttlstore.benchmark;

import java.time.InstantSource;
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
import dev.ttlstore.benchmark.peer.Dataset;
import dev.ttlstore.benchmark.peer.EntryPeer;
import dev.ttlstore.benchmark.peer.Peer;

/** Giving entries a new ttl, beside an update of the one column. RocksDB puts the value again. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Fork(1)
@Warmup(iterations = 2, time = 1)
@Measurement(iterations = 5, time = 1)
public class Renew {

    /** Who. */
    @Param({"TTL_STORE", "SQLITE", "PLAIN", "ROCKSDB"})
    public Configuration peer;

    private Workbench<EntryPeer> bench;

    /** Opens and fills it. */
    @Setup
    public void open(Size size) {
        bench = Workbench.loaded(at -> peer.open(EntryPeer.class, at, InstantSource.system()), size.data());
    }

    /** Closes it. */
    @TearDown
    public void close() {
        bench.close();
    }

    /** A random entry. */
    @Benchmark
    public boolean renew(RandomEntry random) {
        return renew(bench.peer(), bench.data(), random);
    }

    static boolean renew(EntryPeer peer, Dataset data, RandomEntry random) {
        int entry = random.of(data);
        return peer.renew(data.group(entry), data.key(entry), Peer.TTL);
    }
}
