package dev.ttlstore.benchmark;

import java.time.InstantSource;
import java.util.Objects;
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

/** The short life of what can be used once: it is taken, and another is put. RocksDB takes without a lock. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Fork(1)
@Warmup(iterations = 2, time = 1)
@Measurement(iterations = 5, time = 1)
public class TakeAndPut {

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

    /** A random entry, and the same again. */
    @Benchmark
    public byte[] takeAndPut(RandomEntry random) {
        return takeAndPut(bench.peer(), bench.data(), random);
    }

    static byte[] takeAndPut(EntryPeer peer, Dataset data, RandomEntry random) {
        int entry = random.of(data);
        byte[] taken = peer.take(data.group(entry), data.key(entry));
        peer.put(data.group(entry), data.key(entry), data.value(entry + 1), Peer.TTL);
        return Objects.requireNonNull(taken);
    }
}
