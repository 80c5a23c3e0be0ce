package dev.ttlstore.benchmark;

import java.nio.file.Path;
import java.time.Duration;
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

import dev.ttlstore.Durability;
import dev.ttlstore.GroupSettings;
import dev.ttlstore.benchmark.peer.Configuration;
import dev.ttlstore.benchmark.peer.Dataset;
import dev.ttlstore.benchmark.peer.RawSqlite;
import dev.ttlstore.benchmark.peer.TablePeer;
import dev.ttlstore.benchmark.peer.TtlStore;

/** Removing the oldest entries of a group, with an age index and without, beside one DELETE. {@link Age} has the rest. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Fork(1)
@Warmup(iterations = 5)
@Measurement(iterations = 10)
public class Sweep {

    private static final int SWEEPS = 20;
    private static final Duration BETWEEN = Duration.ofMinutes(1);
    private static final Duration TTL = Duration.ofDays(365);

    /** Who. */
    @Param({"TTL_STORE", "SQLITE"})
    public Configuration peer;

    /** Whether there is an age index. */
    @Param({"false", "true"})
    public boolean indexed;

    /** How many entries are old enough. */
    @Param("1000")
    public int rows;

    private MovableClock clock;
    private Workbench<TablePeer> bench;
    private Sweeper sweeper;
    private int sweeps;

    /** Removes what has at least some age. */
    private interface Sweeper {
        long sweep(Duration maxAge);
    }

    /** Opens it, and fills its only group: first with what will be swept, a minute apart, then with the rest. */
    @Setup
    public void open(Size size) {
        clock = new MovableClock();
        Dataset data = new Dataset("group", size.entries, 1, size.valueSize);
        String group = data.group(0);
        bench = Workbench.empty(folder -> open(folder, group), data);
        sweeper = sweeper(bench.peer(), group);
        for (int i = 0; i < SWEEPS * rows; i++) {
            if (i % rows == 0) {
                clock.advance(BETWEEN);
            }
            bench.peer().put(group, bench.freshKey(), data.value(i), TTL);
        }
        clock.advance(BETWEEN);
        bench.peer().load(data, page -> TTL);
    }

    private TablePeer open(Path folder, String group) {
        if (peer == Configuration.SQLITE) {
            return RawSqlite.open(folder, clock, indexed);
        }
        GroupSettings settings = GroupSettings.defaults().withAgeIndex(indexed);
        return TtlStore.open(folder, Durability.NORMAL, 0, clock, builder -> builder.group(group, settings));
    }

    private static Sweeper sweeper(TablePeer peer, String group) {
        return peer instanceof RawSqlite raw
                ? maxAge -> raw.sweep(group, maxAge)
                : maxAge -> ((TtlStore) peer).group(group).sweep(maxAge);
    }

    /** Counts the sweeps. */
    @Setup(Level.Iteration)
    public void next() {
        if (sweeps == SWEEPS) {
            throw new IllegalStateException("There are old entries for " + SWEEPS + " iterations only");
        }
        sweeps++;
    }

    /** Closes it. */
    @TearDown
    public void close() {
        bench.close();
    }

    /** The oldest of those that are left. */
    @Benchmark
    public long sweep() {
        long swept = sweeper.sweep(BETWEEN.multipliedBy(SWEEPS + 1L - sweeps));
        if (swept != rows) {
            throw new IllegalStateException(swept + " entries were swept instead of " + rows);
        }
        return swept;
    }
}
