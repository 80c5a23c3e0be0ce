package dev.ttlstore.benchmark;

import java.nio.file.Path;
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

import dev.ttlstore.Quota;
import dev.ttlstore.benchmark.peer.Configuration;
import dev.ttlstore.benchmark.peer.CountedQuota;
import dev.ttlstore.benchmark.peer.Dataset;
import dev.ttlstore.benchmark.peer.Peer;
import dev.ttlstore.benchmark.peer.StoreQuota;

/** Puts in a namespace with a quota, beside a quota by hand that counts the namespace before each put. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Fork(1)
@Warmup(iterations = 2, time = 1)
@Measurement(iterations = 5, time = 1)
public class QuotaPut {

    private static final int GROUPS = 10;
    private static final Quota AMPLE = new Quota(1L << 40, 1L << 40, 1L << 50);

    /** Who. */
    @Param({"TTL_STORE", "PLAIN"})
    public Configuration peer;

    /** How many entries the namespace has. */
    @Param({"1000", "50000"})
    public int scopeEntries;

    /** The bytes of a value. */
    @Param("100")
    public int valueSize;

    private Workbench<Peer> bench;

    /** Opens it, and fills the namespace. */
    @Setup
    public void open() {
        bench = Workbench.loaded(this::open, new Dataset("group", scopeEntries, GROUPS, valueSize));
    }

    private Peer open(Path folder) {
        return switch (peer) {
            case TTL_STORE -> new StoreQuota(folder, AMPLE);
            case PLAIN -> new CountedQuota(folder, AMPLE);
            default -> throw new IllegalArgumentException(peer + " has no quota");
        };
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
}
