package dev.ttlstore.benchmark;

import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
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
import dev.ttlstore.Quota;
import dev.ttlstore.Store;
import dev.ttlstore.benchmark.peer.Dataset;
import dev.ttlstore.benchmark.peer.Peer;
import dev.ttlstore.benchmark.peer.TtlStore;

/** Puts in a namespace, with a quota and without. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Fork(1)
@Warmup(iterations = 2, time = 1)
@Measurement(iterations = 5, time = 1)
public class ScopePut {

    private static final int GROUPS = 10;
    private static final Quota AMPLE = new Quota(1L << 40, 1L << 40, 1L << 50);

    /** Whether there is a quota. */
    @Param({"false", "true"})
    public boolean quota;

    /** How many entries the namespace has. */
    @Param({"100", "100000"})
    public int scopeEntries;

    /** The bytes of a value. */
    @Param("100")
    public int valueSize;

    private Workbench<TtlStore> bench;
    private Map<String, Group<byte[]>> groups;

    /** Opens it, and fills the namespace. */
    @Setup
    public void open() {
        bench = Workbench.empty(TtlStore::open, new Dataset("group", scopeEntries, GROUPS, valueSize));
        Store store = bench.peer().store();
        dev.ttlstore.Scope scope = quota ? store.scope("tenant", AMPLE) : store.scope("tenant");
        Dataset data = bench.data();
        groups = new HashMap<>();
        for (Dataset.Page page : data.pages()) {
            Group<byte[]> group = scope.group(page.group(), byte[].class);
            group.putAll(data.values(page), Peer.TTL);
            groups.put(page.group(), group);
        }
    }

    /** Closes it. */
    @TearDown
    public void close() {
        bench.close();
    }

    /** In the place of a random entry. */
    @Benchmark
    public void overwrite(RandomEntry random) {
        Dataset data = bench.data();
        int entry = random.of(data);
        Group<byte[]> group = Objects.requireNonNull(groups.get(data.group(entry)));
        group.put(data.key(entry), data.value(entry + 1), Peer.TTL);
    }
}
