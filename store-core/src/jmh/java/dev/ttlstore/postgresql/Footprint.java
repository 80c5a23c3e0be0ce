package dev.ttlstore.postgresql;

import java.io.PrintStream;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.IntConsumer;

import dev.ttlstore.Counters;
import dev.ttlstore.Group;
import dev.ttlstore.Store;

/**
 * Prints how many bytes an entry takes on PostgreSQL, and how many bytes of WAL each kind of write takes. Not a benchmark of JMH:
 * it counts, so it runs once. Keys have 20 bytes, values 100, names of groups 8.
 */
public final class Footprint {

    private static final int ENTRIES = 200_000;
    private static final int GROUPS = 100;
    private static final int WRITES = 2_000;
    private static final int PAGE = 1_000;
    private static final Duration TTL = Duration.ofHours(1);
    private static final byte[] VALUE = new byte[100];
    private static final PrintStream OUT = System.out;

    private final BenchmarkServer server;
    private final Store store;

    private Footprint(BenchmarkServer server, Store store) {
        this.server = server;
        this.store = store;
    }

    /** Measures. */
    public static void main(String[] args) {
        try (BenchmarkServer server = new BenchmarkServer("off");
                Store store = server.store()) {
            // A page is written whole after a checkpoint, which depends on how often they come. Measured on its own
            // below.
            server.admin("ALTER SYSTEM SET full_page_writes = off", "SELECT pg_reload_conf()");
            Footprint footprint = new Footprint(server, store);
            footprint.load();
            footprint.sizes("after loading");
            footprint.wal("");
            server.admin("VACUUM");
            footprint.sizes("after the writes and a vacuum");
            server.admin("ALTER SYSTEM SET full_page_writes = on", "SELECT pg_reload_conf()", "CHECKPOINT");
            footprint.wal(", first in its pages after a checkpoint");
            footprint.connections();
        }
    }

    private static String key(int entry) {
        // In no order, as ids are that are drawn at random.
        return String.format(Locale.ROOT, "%016x%04x", entry * 0x9E3779B97F4A7C15L, entry & 0xffff);
    }

    private Group<byte[]> group(int entry) {
        return store.group(String.format(Locale.ROOT, "group%03d", entry % GROUPS), byte[].class);
    }

    private void load() {
        for (int group = 0; group < GROUPS; group++) {
            Map<String, byte[]> page = new HashMap<>();
            for (int entry = group; entry < ENTRIES; entry += GROUPS) {
                page.put(key(entry), VALUE);
                if (page.size() == PAGE) {
                    group(group).putAll(page, TTL);
                    page.clear();
                }
            }
        }
    }

    private void sizes(String when) {
        long entries = server.number("SELECT count(*) FROM ttl_store.entry");
        OUT.printf("%nBytes per entry, %,d entries, %s%n", entries, when);
        for (String name : List.of("entry", "entry_pkey", "entry_due", "log", "log_pkey", "log_slot_batch_key")) {
            long bytes = server.number("SELECT pg_relation_size('ttl_store." + name + "')");
            OUT.printf("  %-20s %,12d bytes %8.1f%n", name, bytes, (double) bytes / entries);
        }
        OUT.printf("  rows of the log: %,d%n", server.number("SELECT count(*) FROM ttl_store.log"));
    }

    private void wal(String when) {
        OUT.printf("%nBytes of WAL per write%s%n", when);
        int fresh = when.isEmpty() ? ENTRIES : ENTRIES + 4 * WRITES;
        measure("put, overwriting", i -> group(i).put(
                        key(i * 97 % ENTRIES / GROUPS * GROUPS + i % GROUPS), VALUE, TTL));
        measure("put, new key", i -> group(fresh + i).put(key(fresh + i), VALUE, TTL));
        measure("putIfAbsent, new key", i -> group(fresh + WRITES + i)
                .putIfAbsent(key(fresh + WRITES + i), VALUE, TTL));
        measure("replace", i -> group(i).replace(key(i), VALUE, VALUE, TTL));
        measure("renewal", i -> group(i).expire(key(i), TTL));
        measure("take", i -> group(fresh + i).take(key(fresh + i)));
        Counters counters = store.counters("counter");
        measure("increment, new key", i -> counters.increment("a counter of a " + fresh + i, 1, TTL));
        measure("increment", i -> counters.increment("a counter of a " + fresh + i));
        together(fresh);
        expire(fresh);
    }

    /** New keys by commits of many. */
    private void together(int fresh) {
        Map<String, byte[]> page = new HashMap<>();
        long start = position();
        long began = System.nanoTime();
        int rows = 10 * WRITES;
        for (int i = 0; i < rows; i++) {
            page.put(key(3 * fresh + i), VALUE);
            if (page.size() == 100) {
                group(i / 100).putAll(page, TTL);
                page.clear();
            }
        }
        OUT.printf(
                "  %-22s %8.0f (%,.0f rows per second)%n",
                "put, 100 in a commit", (double) (position() - start) / rows, rows * 1e9 / (System.nanoTime() - began));
    }

    private void expire(int fresh) {
        Map<String, byte[]> page = new HashMap<>();
        int rows = 10 * WRITES;
        for (int i = 0; i < rows; i++) {
            page.put(key(2 * fresh + i), VALUE);
            if (page.size() == PAGE) {
                group(i / PAGE).putAll(page, Duration.ofMillis(1));
                page.clear();
            }
        }
        long start = position();
        long began = System.nanoTime();
        long purged = store.purgeExpired();
        OUT.printf(
                "  %-22s %8.0f (%,d rows, %,.0f per second)%n",
                "purge, per row",
                (double) (position() - start) / purged,
                purged,
                purged * 1e9 / (System.nanoTime() - began));
    }

    private void measure(String what, IntConsumer write) {
        long start = position();
        for (int i = 0; i < WRITES; i++) {
            write.accept(i);
        }
        OUT.printf("  %-22s %8.0f%n", what, (double) (position() - start) / WRITES);
    }

    private long position() {
        return server.number("SELECT pg_current_wal_insert_lsn() - '0/0'::pg_lsn");
    }

    private void connections() {
        long all = server.number(
                "SELECT count(*) FROM pg_stat_activity WHERE usename = '" + PrivateServer.APPLICATION + "'");
        OUT.printf("%nConnections of this node after one caller: %d%n", all);
    }
}
