package dev.ttlstore.benchmark;

import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SplittableRandom;

import com.sun.management.ThreadMXBean;

import dev.ttlstore.Durability;
import dev.ttlstore.Group;
import dev.ttlstore.benchmark.peer.TtlStore;
import dev.ttlstore.benchmark.server.Folder;

/**
 * A store with so many entries of 100 bytes in 100 groups, and the costs of its operations. Names are computed, since ten
 * million of them would not leave much memory.
 */
final class SizedStore implements AutoCloseable {

    private static final int GROUPS = 100;
    private static final int PAGE = 1_000;
    private static final int CALLS = 2_000;
    private static final int READS = 10;
    private static final int READ_PAGE = 100;
    private static final ThreadMXBean THREADS = ManagementFactory.getPlatformMXBean(ThreadMXBean.class);
    private static final Duration TTL = Duration.ofDays(365);
    private static final byte[] VALUE = new byte[100];

    private final SplittableRandom random = new SplittableRandom(42);
    private final MovableClock clock = new MovableClock();
    private final Folder folder = new Folder();
    private final int entries;
    private final TtlStore store;

    /**
     * What an operation costs.
     *
     * @param micros its time in microseconds
     * @param bytes what it allocates; a commit of a single caller is made by the caller's thread
     */
    record Cost(double micros, double bytes) {

        private Cost each(int operations) {
            return new Cost(micros / operations, bytes / operations);
        }
    }

    /** Something done with an entry. */
    private interface Call {
        void on(Group<byte[]> group, String key);
    }

    /** Opens and fills it. */
    SizedStore(int entries) {
        this.entries = entries;
        this.store = TtlStore.open(folder.path(), Durability.NORMAL, 0, clock);
        for (int group = 0; group < GROUPS; group++) {
            for (int from = group; from < entries; from += GROUPS * PAGE) {
                Map<String, byte[]> page = new HashMap<>();
                for (int entry = from; entry < Math.min(entries, from + GROUPS * PAGE); entry += GROUPS) {
                    page.put(key(entry), VALUE);
                }
                group(group).putAll(page, TTL);
            }
        }
        fill("thousand", TTL);
    }

    /** Returns the mean cost of each operation. */
    Map<String, Cost> round() {
        Map<String, Cost> costs = new LinkedHashMap<>();
        costs.put("`get`, past the near cache", perCall((group, key) -> {
            if (group.get(key).isEmpty()) {
                throw new IllegalStateException("There is no " + key);
            }
        }));
        costs.put("`put`, overwriting", perCall((group, key) -> group.put(key, VALUE, TTL)));
        costs.put("`take`", take());
        fill("expiring", Duration.ofSeconds(1));
        clock.advance(Duration.ofSeconds(1));
        costs.put("purge of 1,000", cost(() -> require(PAGE, store.store().purgeExpired())));
        costs.put("`count`, group of 1,000", counting(PAGE, "thousand"));
        costs.put("`count`, group with 1 % of the entries", counting((entries + GROUPS - 1) / GROUPS, name(0)));
        costs.put(
                "`page` of 100",
                reading(() -> require(
                        READ_PAGE, store.page("thousand", "0", READ_PAGE).size())));
        costs.put("`stats()`", cost(() -> store.store().stats()));
        return costs;
    }

    private Cost perCall(Call call) {
        int[] chosen = random.ints(CALLS, 0, entries).toArray();
        return cost(() -> {
                    for (int entry : chosen) {
                        call.on(group(entry), key(entry));
                    }
                })
                .each(CALLS);
    }

    /** Takes entries, and puts them back when the clock has stopped. */
    private Cost take() {
        int[] chosen = random.ints(0, entries).distinct().limit(CALLS).toArray();
        Cost cost = cost(() -> {
            for (int entry : chosen) {
                if (group(entry).take(key(entry)).isEmpty()) {
                    throw new IllegalStateException("There is no " + key(entry));
                }
            }
        });
        for (int entry : chosen) {
            group(entry).put(key(entry), VALUE, TTL);
        }
        return cost.each(CALLS);
    }

    private Cost counting(long expected, String group) {
        return reading(() -> require(expected, store.count(group)));
    }

    private static Cost reading(Runnable read) {
        return cost(() -> {
                    for (int i = 0; i < READS; i++) {
                        read.run();
                    }
                })
                .each(READS);
    }

    private static Cost cost(Runnable work) {
        long bytes = THREADS.getCurrentThreadAllocatedBytes();
        long start = System.nanoTime();
        work.run();
        long nanos = System.nanoTime() - start;
        return new Cost(nanos / 1e3, THREADS.getCurrentThreadAllocatedBytes() - bytes);
    }

    private static void require(long expected, long actual) {
        if (actual != expected) {
            throw new IllegalStateException("There were " + actual + " entries instead of " + expected);
        }
    }

    private void fill(String group, Duration ttl) {
        Map<String, byte[]> values = new HashMap<>();
        for (int i = 0; i < PAGE; i++) {
            values.put(key(i), VALUE);
        }
        store.group(group).putAll(values, ttl);
    }

    private Group<byte[]> group(int entry) {
        return store.group(name(entry));
    }

    private static String name(int entry) {
        return "group-" + entry % GROUPS;
    }

    /** In no order, as ids are that are drawn at random. */
    private static String key(int entry) {
        return HexFormat.of().toHexDigits(entry * 0x9E3779B97F4A7C15L);
    }

    @Override
    public void close() {
        store.close();
        folder.close();
    }
}
