package dev.ttlstore.benchmark;

import java.util.concurrent.TimeUnit;

import org.jspecify.annotations.Nullable;
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

import dev.ttlstore.benchmark.peer.Dataset;
import dev.ttlstore.benchmark.peer.TtlStore;
import dev.ttlstore.benchmark.server.Folder;

/** Opening a file that was closed cleanly, which should not depend on what is in it. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Fork(1)
@Warmup(iterations = 5)
@Measurement(iterations = 10)
public class Open {

    /** How many entries the file has. */
    @Param({"0", "2000000"})
    public int entries;

    /** The bytes of a value. */
    @Param("100")
    public int valueSize;

    private Folder folder;
    private @Nullable TtlStore store;

    /** Makes the file. */
    @Setup
    public void fill() {
        folder = new Folder();
        try (TtlStore filling = TtlStore.open(folder.path())) {
            if (entries > 0) {
                filling.load(new Dataset("group", entries, 100, valueSize));
            }
        }
    }

    /** Removes it. */
    @TearDown
    public void remove() {
        folder.close();
    }

    /** Closes what was opened. */
    @TearDown(Level.Iteration)
    public void close() {
        if (store != null) {
            store.close();
        }
    }

    /** The whole of it. */
    @Benchmark
    public TtlStore open() {
        TtlStore opened = TtlStore.open(folder.path());
        store = opened;
        return opened;
    }
}
