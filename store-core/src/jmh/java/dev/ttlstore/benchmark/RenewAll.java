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

/** Giving all entries of a group a new ttl, beside one update of them. The report counts rows. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Fork(1)
@Warmup(iterations = 2, time = 1)
@Measurement(iterations = 5, time = 1)
public class RenewAll {

    /** Who. */
    @Param({"TTL_STORE", "SQLITE", "PLAIN"})
    public Configuration peer;

    /** How many entries a group has. */
    @Param({"1000", "10000"})
    public int rows;

    private Workbench<TablePeer> bench;

    /** Opens and fills it. */
    @Setup
    public void open(Size size) {
        bench = Workbench.loaded(at -> peer.open(TablePeer.class, at, InstantSource.system()), size.data(rows));
        if (bench.data().size() % rows != 0) {
            throw new IllegalArgumentException("'entries' must be a multiple of 'rows'");
        }
    }

    /** Closes it. */
    @TearDown
    public void close() {
        bench.close();
    }

    /** A random group as a whole. */
    @Benchmark
    public long group(RandomEntry random) {
        Dataset data = bench.data();
        return require(bench.peer().renewAll(data.group(random.of(data)), Peer.TTL));
    }

    /** A random group by a list of its keys; by hand, one update for each key in one transaction. */
    @Benchmark
    public long keys(RandomEntry random) {
        Dataset data = bench.data();
        int first = random.below(data.groups()) * rows;
        List<String> keys = new ArrayList<>(rows);
        for (int i = first; i < first + rows; i++) {
            keys.add(data.key(i));
        }
        return require(bench.peer().renewAll(data.group(first), keys, Peer.TTL));
    }

    private long require(long renewed) {
        if (renewed != rows) {
            throw new IllegalStateException(renewed + " entries were renewed instead of " + rows);
        }
        return renewed;
    }
}
