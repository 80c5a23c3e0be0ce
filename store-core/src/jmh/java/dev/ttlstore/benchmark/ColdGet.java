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

/** Reads that go to the file: what the store costs on top of SQLite. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Fork(1)
@Warmup(iterations = 2, time = 1)
@Measurement(iterations = 5, time = 1)
public class ColdGet {

    /** Who. */
    @Param({"TTL_STORE", "SQLITE", "PLAIN", "ROCKSDB"})
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

    /** A random entry. */
    @Benchmark
    public byte[] get(RandomEntry random) {
        return bench.get(random.of(bench.data()));
    }
}
