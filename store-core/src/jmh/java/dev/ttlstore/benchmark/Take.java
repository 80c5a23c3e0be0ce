package dev.ttlstore.benchmark;

import java.time.InstantSource;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;

import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
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

/** Reading and removing in one; entries are put back before the clock runs. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Fork(1)
@Warmup(iterations = 2)
@Measurement(iterations = 5)
public class Take {

    /** Who. */
    @Param({"TTL_STORE", "SQLITE", "PLAIN", "ROCKSDB"})
    public Configuration peer;

    /** How many entries are taken. */
    @Param("50000")
    public int rows;

    private Workbench<EntryPeer> bench;
    private int[] chosen;

    /** Opens and fills it. */
    @Setup
    public void open(Size size) {
        bench = Workbench.loaded(at -> peer.open(EntryPeer.class, at, InstantSource.system()), size.data());
        chosen = new int[0];
    }

    /** Puts back what was taken, and chooses what will be. */
    @Setup(Level.Iteration)
    public void refill() {
        Dataset data = bench.data();
        for (int entry : chosen) {
            bench.peer().put(data.group(entry), data.key(entry), data.value(entry), Peer.TTL);
        }
        chosen = new SplittableRandom()
                .ints(0, data.size())
                .distinct()
                .limit(Math.min(rows, data.size()))
                .toArray();
    }

    /** Closes it. */
    @TearDown
    public void close() {
        bench.close();
    }

    /** Random entries, one after the other. */
    @Benchmark
    public int take() {
        Dataset data = bench.data();
        int taken = 0;
        for (int entry : chosen) {
            if (bench.peer().take(data.group(entry), data.key(entry)) != null) {
                taken++;
            }
        }
        return taken;
    }
}
