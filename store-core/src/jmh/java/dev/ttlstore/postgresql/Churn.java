package dev.ttlstore.postgresql;

import java.io.PrintStream;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Arrays;
import java.util.SplittableRandom;

import dev.ttlstore.Group;
import dev.ttlstore.Store;

/**
 * The time per commit of one caller over many commits, beside a transaction that keeps an old snapshot from the first one on, as a
 * dump does: nothing that is removed meanwhile can be cleared up. In turns with plain upserts on the same server. Four of five
 * commits overwrite an entry, and one renews it. Prints the medians of each tenth.
 *
 * <p>Arguments: "on" or "off" for whether commits wait for the disk, "old" or "none" for the snapshot, and how many commits.
 */
public final class Churn {

    private static final int KEYS = 50_000;
    private static final int PARTS = 10;
    private static final byte[] VALUE = new byte[100];
    private static final PrintStream OUT = System.out;

    private Churn() {}

    /** Measures. */
    public static void main(String[] args) throws SQLException {
        String fsync = args.length > 0 ? args[0] : "on";
        boolean old = args.length < 2 || args[1].equals("old");
        int commits = args.length > 2 ? Integer.parseInt(args[2]) : 100_000;
        try (BenchmarkServer server = new BenchmarkServer(fsync);
                Store store = server.store();
                Connection reader = server.server().dataSource().getConnection()) {
            server.execute(ByHand.TABLES);
            if (old) {
                takeSnapshot(reader);
            }
            OUT.printf("fsync %s, %s, %,d commits%n", fsync, old ? "beside an old snapshot" : "alone", commits);
            run(store.group("group", byte[].class), new ByHand(server.pool()), commits);
        }
    }

    private static void takeSnapshot(Connection reader) throws SQLException {
        reader.setAutoCommit(false);
        reader.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
        try (Statement statement = reader.createStatement();
                ResultSet result = statement.executeQuery("SELECT count(*) FROM pg_class")) {
            result.next();
        }
    }

    private static void run(Group<byte[]> group, ByHand hand, int commits) throws SQLException {
        SplittableRandom random = new SplittableRandom(1);
        long[] own = new long[commits / PARTS];
        long[] byHand = new long[commits / PARTS];
        for (int part = 1; part <= PARTS; part++) {
            for (int i = 0; i < own.length; i++) {
                String key = "key " + random.nextInt(KEYS);
                long start = System.nanoTime();
                if (i % 5 == 0) {
                    group.expire(key, Bench.TTL.plusMillis(i));
                } else {
                    group.put(key, VALUE, Bench.TTL);
                }
                long between = System.nanoTime();
                hand.put("group", key, VALUE, Bench.TTL_MILLIS);
                own[i] = between - start;
                byHand[i] = System.nanoTime() - between;
            }
            OUT.printf(
                    "%,9d commits: %,6.0f µs, by hand %,6.0f µs%n",
                    part * own.length, median(own) / 1e3, median(byHand) / 1e3);
        }
    }

    private static double median(long[] nanos) {
        long[] sorted = nanos.clone();
        Arrays.sort(sorted);
        return sorted[sorted.length / 2];
    }
}
