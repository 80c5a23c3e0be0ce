package dev.ttlstore.benchmark;

import java.time.Duration;
import java.time.InstantSource;
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

import dev.ttlstore.Group;
import dev.ttlstore.GroupSettings;
import dev.ttlstore.Store;
import dev.ttlstore.benchmark.peer.Dataset;
import dev.ttlstore.benchmark.peer.Peer;
import dev.ttlstore.benchmark.server.Folder;

/** One group with an age index and without: what its puts cost, and a sweep that finds nothing. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Fork(1)
@Warmup(iterations = 2, time = 1)
@Measurement(iterations = 5, time = 1)
public class Age {

    private static final Duration DAY = Duration.ofDays(1);

    /** Whether there is an age index. */
    @Param({"false", "true"})
    public boolean indexed;

    private Dataset data;
    private Folder folder;
    private Store store;
    private Group<byte[]> group;
    private long appended;

    /** Opens and fills it. */
    @Setup
    public void open(Size size) {
        data = new Dataset("group", size.entries, 1, size.valueSize);
        folder = new Folder();
        store = Store.builder()
                .path(folder.path().resolve("store.db"))
                .clock(InstantSource.system())
                .cacheSize(0)
                .purgeInterval(Duration.ZERO)
                .group(data.group(0), GroupSettings.defaults().withAgeIndex(indexed))
                .open();
        group = store.group(data.group(0), byte[].class);
        for (Dataset.Page page : data.pages()) {
            group.putAll(data.values(page), Peer.TTL);
        }
    }

    /** Closes it. */
    @TearDown
    public void close() {
        store.close();
        folder.close();
    }

    /** Puts in the place of a random entry. */
    @Benchmark
    public void overwrite(RandomEntry random) {
        int entry = random.of(data);
        group.put(data.key(entry), data.value(entry + 1), Peer.TTL);
    }

    /** Puts under a new key, somewhere among the others. */
    @Benchmark
    public void append(RandomEntry random) {
        int entry = random.of(data);
        group.put(data.key(entry) + '-' + appended++, data.value(entry), Peer.TTL);
    }

    /** Sweeps, and finds nothing old enough. */
    @Benchmark
    public long sweepNone() {
        return group.sweep(DAY);
    }
}
