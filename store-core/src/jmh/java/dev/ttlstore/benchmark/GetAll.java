package dev.ttlstore.benchmark;

import java.time.InstantSource;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

import dev.ttlstore.benchmark.peer.Configuration;
import dev.ttlstore.benchmark.peer.TablePeer;

/** Reads of whole groups of 10,000 entries. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Fork(1)
@Warmup(iterations = 2, time = 1)
@Measurement(iterations = 5, time = 1)
public class GetAll {

    private static final int GROUP_SIZE = 10_000;

    /** Who. */
    @Param({"TTL_STORE", "SQLITE", "PLAIN"})
    public Configuration peer;

    private Workbench<TablePeer> bench;

    /** Opens and fills it. */
    @Setup
    public void open(Size size) {
        bench = Workbench.loaded(at -> peer.open(TablePeer.class, at, InstantSource.system()), size.data(GROUP_SIZE));
    }

    /** Closes it. */
    @TearDown
    public void close() {
        bench.close();
    }

    /** A random group; the score is in entries. */
    @Benchmark
    @OperationsPerInvocation(GROUP_SIZE)
    public Map<String, byte[]> getAll(RandomEntry random) {
        Map<String, byte[]> all = bench.peer().readAll(bench.data().group(random.of(bench.data())));
        if (all.size() != GROUP_SIZE) {
            throw new IllegalStateException(
                    "A group has " + all.size() + " entries; 'entries' must be a multiple of 10,000");
        }
        return all;
    }
}
