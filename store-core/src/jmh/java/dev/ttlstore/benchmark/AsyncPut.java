package dev.ttlstore.benchmark;

import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
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
import dev.ttlstore.benchmark.peer.Dataset;
import dev.ttlstore.benchmark.peer.Peer;
import dev.ttlstore.benchmark.peer.TablePeer;
import dev.ttlstore.benchmark.peer.TablePeer.Name;

/** One thread that waits for 1,000 puts at once, beside one transaction with 1,000 statements. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Fork(1)
@Warmup(iterations = 2, time = 1)
@Measurement(iterations = 5, time = 1)
public class AsyncPut {

    private static final int PUTS = 1_000;

    /** Who. */
    @Param({"TTL_STORE", "TTL_STORE_FULL", "SQLITE", "SQLITE_FULL"})
    public Configuration peer;

    private Workbench<TablePeer> bench;

    /** Opens and fills it. */
    @Setup
    public void open(Size size) {
        bench = Workbench.loaded(at -> peer.open(TablePeer.class, at, InstantSource.system()), size.data());
    }

    /** Closes it. */
    @TearDown
    public void close() {
        bench.close();
    }

    /** In the place of random entries. */
    @Benchmark
    @OperationsPerInvocation(PUTS)
    public void thousand(RandomEntry random) {
        Dataset data = bench.data();
        List<Name> names = new ArrayList<>(PUTS);
        for (int i = 0; i < PUTS; i++) {
            int entry = random.of(data);
            names.add(new Name(data.group(entry), data.key(entry)));
        }
        bench.peer().putTogether(names, data.value(random.of(data)), Peer.TTL);
    }
}
