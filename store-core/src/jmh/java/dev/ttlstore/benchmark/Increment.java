package dev.ttlstore.benchmark;

import java.util.HashMap;
import java.util.Map;
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

import dev.ttlstore.Counters;
import dev.ttlstore.benchmark.peer.Dataset;
import dev.ttlstore.benchmark.peer.Peer;
import dev.ttlstore.benchmark.peer.TtlStore;

/** Counting up; a class of its own, since its entries are of another type. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Fork(1)
@Warmup(iterations = 2, time = 1)
@Measurement(iterations = 5, time = 1)
public class Increment {

    private Workbench<TtlStore> bench;
    private Counters[] counters;

    /** Opens it, and fills it with numbers. */
    @Setup
    public void open(Size size) {
        bench = Workbench.empty(TtlStore::open, size.data());
        Dataset data = bench.data();
        for (Dataset.Page page : data.pages()) {
            Map<String, Long> values = new HashMap<>();
            for (int i = page.from(); i < page.to(); i++) {
                values.put(data.key(i), (long) i);
            }
            bench.peer().store().counters(page.group()).putAll(values, Peer.TTL);
        }
        counters = new Counters[data.size()];
        for (int i = 0; i < counters.length; i++) {
            counters[i] = i > 0 && data.group(i).equals(data.group(i - 1))
                    ? counters[i - 1]
                    : bench.peer().store().counters(data.group(i));
        }
    }

    /** Closes it. */
    @TearDown
    public void close() {
        bench.close();
    }

    /** A random number. */
    @Benchmark
    public long increment(RandomEntry random) {
        int entry = random.of(bench.data());
        return counters[entry].increment(bench.data().key(entry));
    }
}
