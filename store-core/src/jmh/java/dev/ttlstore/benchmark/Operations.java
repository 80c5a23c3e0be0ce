package dev.ttlstore.benchmark;

import java.util.concurrent.TimeUnit;

import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

import dev.ttlstore.benchmark.peer.Dataset;
import dev.ttlstore.benchmark.peer.Peer;
import dev.ttlstore.benchmark.peer.TtlStore;

/** What else a group does, beside its own put: all of it is a decision and one row. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Fork(1)
@Warmup(iterations = 2, time = 1)
@Measurement(iterations = 5, time = 1)
public class Operations {

    private Workbench<TtlStore> bench;

    /** Opens and fills it. */
    @Setup
    public void open(Size size) {
        bench = Workbench.loaded(TtlStore::open, size.data());
    }

    /** Closes it. */
    @TearDown
    public void close() {
        bench.close();
    }

    /** The measure of the others. */
    @Benchmark
    public void put(RandomEntry random) {
        bench.overwrite(random);
    }

    /** Compare-and-set that succeeds. */
    @Benchmark
    public boolean replace(RandomEntry random) {
        Dataset data = bench.data();
        int entry = random.of(data);
        byte[] value = data.value(entry);
        return bench.peer()
                .group(data.group(entry))
                .replace(data.key(entry), value, value, Peer.TTL)
                .isPresent();
    }

    /** Under a key that is new, in a random group. */
    @Benchmark
    public boolean putIfAbsent(RandomEntry random) {
        Dataset data = bench.data();
        int neighbour = random.of(data);
        return bench.peer()
                .group(data.group(neighbour))
                .putIfAbsent(bench.freshKey(), data.value(neighbour), Peer.TTL)
                .isPresent();
    }
}
