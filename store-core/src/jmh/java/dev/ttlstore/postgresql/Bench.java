package dev.ttlstore.postgresql;

import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

import dev.ttlstore.Counters;
import dev.ttlstore.Group;
import dev.ttlstore.Store;
import dev.ttlstore.benchmark.peer.Dataset;

/** A server with the same entries twice: in a store, and in a table by hand. */
@State(Scope.Benchmark)
public class Bench {

    static final Duration TTL = Duration.ofHours(1);

    static final long TTL_MILLIS = TTL.toMillis();

    /** Whether the server's commits wait for the disk. */
    @Param("on")
    public String fsync;

    /** How many entries there are. */
    @Param("50000")
    public int entries;

    /** How many groups they are in. */
    @Param("100")
    public int groupCount;

    private final AtomicLong fresh = new AtomicLong();
    private final AtomicInteger taken = new AtomicInteger();

    private Dataset data;
    private BenchmarkServer server;
    private Store store;
    private ByHand hand;
    private Map<String, Group<byte[]>> groups;
    private Map<String, Counters> counters;

    /** Starts and fills it. */
    @Setup
    public void open() throws SQLException {
        data = new Dataset("group", entries, groupCount, 100);
        server = new BenchmarkServer(fsync);
        store = server.store();
        hand = new ByHand(server.pool());
        groups = new HashMap<>();
        counters = new HashMap<>();
        for (Dataset.Page page : data.pages()) {
            Group<byte[]> group = groups.computeIfAbsent(page.group(), name -> store.group(name, byte[].class));
            Counters numbers = counters.computeIfAbsent(page.group(), name -> store.counters("n-" + name));
            Map<String, byte[]> values = data.values(page);
            group.putAll(values, TTL);
            Map<String, Long> ones = new HashMap<>();
            values.keySet().forEach(key -> ones.put(key, 1L));
            numbers.putAll(ones, TTL);
        }
        server.execute(ByHand.TABLES);
        server.execute(Libraries.TABLES);
        hand.fill();
        server.admin("VACUUM ANALYZE", "CHECKPOINT");
    }

    /** Stops it. */
    @TearDown
    public void close() {
        store.close();
        server.close();
    }

    BenchmarkServer server() {
        return server;
    }

    ByHand hand() {
        return hand;
    }

    Store store() {
        return store;
    }

    int random() {
        return Randomness.OF_THREAD.get().nextInt(entries);
    }

    /** Returns an entry that was not returned before. */
    int next() {
        return taken.getAndIncrement() % entries;
    }

    String freshKey() {
        return data.freshKey(fresh.incrementAndGet());
    }

    String group(int entry) {
        return data.group(entry);
    }

    String key(int entry) {
        return data.key(entry);
    }

    byte[] value(int entry) {
        return data.value(entry);
    }

    Group<byte[]> handle(int entry) {
        Group<byte[]> group = groups.get(data.group(entry));
        if (group == null) {
            throw new IllegalStateException("No such group");
        }
        return group;
    }

    Counters counters(int entry) {
        Counters found = counters.get(data.group(entry));
        if (found == null) {
            throw new IllegalStateException("No such group");
        }
        return found;
    }

    private static final class Randomness {
        static final ThreadLocal<SplittableRandom> OF_THREAD = ThreadLocal.withInitial(SplittableRandom::new);
    }
}
