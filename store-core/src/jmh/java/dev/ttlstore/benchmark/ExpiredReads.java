package dev.ttlstore.benchmark;

import java.time.Duration;
import java.util.Map;
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
import dev.ttlstore.benchmark.peer.TablePeer;

/** Reads of groups of 1,000 live entries, alone and among expired ones that no purge has removed. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Fork(1)
@Warmup(iterations = 2, time = 1)
@Measurement(iterations = 5, time = 1)
public class ExpiredReads {

    private static final int GROUPS = 10;
    private static final int LIVE = Dataset.PAGE;
    private static final int PAGE = 100;

    /** Who. */
    @Param({"TTL_STORE", "SQLITE", "PLAIN"})
    public Configuration peer;

    /** How many expired entries there are for each live one. */
    @Param({"0", "50"})
    public int expired;

    /** The bytes of a value. */
    @Param("100")
    public int valueSize;

    private Workbench<TablePeer> bench;

    /** Opens and fills it, and lets all but the first page of each group expire. Keys are in no order, so these mix. */
    @Setup
    public void open() {
        MovableClock clock = new MovableClock();
        int groupSize = LIVE * (1 + expired);
        Dataset data = new Dataset("group", GROUPS * groupSize, GROUPS, valueSize);
        if (data.size() != GROUPS * groupSize) {
            throw new IllegalArgumentException("'expired' or 'valueSize' is too large");
        }
        bench = Workbench.empty(at -> peer.open(TablePeer.class, at, clock), data);
        bench.peer().load(data, page -> page.from() % groupSize == 0 ? Duration.ofDays(365) : Duration.ofSeconds(1));
        clock.advance(Duration.ofMinutes(1));
    }

    /** Closes it. */
    @TearDown
    public void close() {
        bench.close();
    }

    /** All of a group. */
    @Benchmark
    public Map<String, byte[]> getAll(RandomEntry random) {
        return require(LIVE, bench.peer().readAll(group(random)));
    }

    /** The number of entries in a group. */
    @Benchmark
    public long count(RandomEntry random) {
        return bench.peer().count(group(random));
    }

    /** The first page of a group, of 100 entries. */
    @Benchmark
    public Map<String, byte[]> page(RandomEntry random) {
        return require(PAGE, bench.peer().page(group(random), "0", PAGE));
    }

    private String group(RandomEntry random) {
        return bench.data().groupName(random.below(GROUPS));
    }

    private static Map<String, byte[]> require(int size, Map<String, byte[]> entries) {
        if (entries.size() != size) {
            throw new IllegalStateException("There are " + entries.size() + " live entries instead of " + size);
        }
        return entries;
    }
}
