package dev.ttlstore.postgresql.campaign;

import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

import javax.sql.DataSource;

import dev.ttlstore.Group;
import dev.ttlstore.Store;
import dev.ttlstore.engine.Change;
import dev.ttlstore.postgresql.PostgreSql;

/** What is in the tables, and whether it agrees with itself. Not thread-safe. */
final class Findings {

    private static final String OWN =
            "SELECT key, value FROM " + Names.SCHEMA + ".entry WHERE grp = '" + Names.OWN + "'";

    private static final String COUNTED = "SELECT grp, key, value FROM " + Names.SCHEMA + ".entry WHERE grp IN ('"
            + Names.TRANSFERS + "', '" + Names.COUNTS + "')";

    /** The usage of the groups and of their sum, where it differs from the rows. */
    private static final String USAGE = """
            WITH counted AS MATERIALIZED (
                SELECT grp, count(*) AS keys, sum(octet_length(key) + octet_length(value)) AS bytes, 0 AS groups
                  FROM {schema}.entry WHERE grp LIKE '{tenant}:%' GROUP BY grp
                 UNION ALL
                SELECT '', count(*), coalesce(sum(octet_length(key) + octet_length(value)), 0), count(DISTINCT grp)
                  FROM {schema}.entry WHERE grp LIKE '{tenant}:%'
            ), u AS MATERIALIZED (
                SELECT grp, keys, bytes, groups FROM {schema}.usage WHERE namespace = '{tenant}'
            )
            SELECT coalesce(u.grp, c.grp) AS grp, u.keys, u.bytes, u.groups, c.keys, c.bytes, c.groups
              FROM u
              FULL JOIN counted c ON c.grp = u.grp
             WHERE coalesce(u.keys, 0) <> coalesce(c.keys, 0) OR coalesce(u.bytes, 0) <> coalesce(c.bytes, 0)
                OR coalesce(u.groups, 0) <> coalesce(c.groups, 0)
            """.replace("{schema}", Names.SCHEMA).replace("{tenant}", Names.TENANT);

    private static final int SLOTS = 32;

    private final Map<Long, Long> highest = new HashMap<>();

    /** Returns the numbered values by key. */
    static Map<String, String> own(Connection connection) throws SQLException {
        Map<String, String> own = new HashMap<>();
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(OWN)) {
            while (rows.next()) {
                own.put(rows.getString(1), text(rows.getBytes(2)));
            }
        }
        return own;
    }

    /** Returns the counters by group and key. */
    static Map<String, Map<String, Long>> counted(Connection connection) throws SQLException {
        Map<String, Map<String, Long>> counted = new HashMap<>();
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(COUNTED)) {
            while (rows.next()) {
                counted.computeIfAbsent(rows.getString(1), group -> new HashMap<>())
                        .put(rows.getString(2), Long.parseLong(text(rows.getBytes(3))));
            }
        }
        return counted;
    }

    private static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8);
    }

    /** Compares the rows of usage with those of the entries. */
    static void usage(Connection connection, List<String> faults) throws SQLException {
        try (PreparedStatement query = connection.prepareStatement(USAGE);
                ResultSet rows = query.executeQuery()) {
            while (rows.next()) {
                faults.add("The usage of '" + rows.getString(1) + "' is " + rows.getString(2) + " keys, "
                        + rows.getString(3) + " bytes, " + rows.getString(4) + " groups, but there are "
                        + rows.getString(5) + ", " + rows.getString(6) + ", " + rows.getString(7));
            }
        }
    }

    /** Reads as one more node does: the sum over the accounts, and the scope's quota. */
    static void sums(DataSource source, List<String> faults) {
        try (Store store = Store.builder()
                .engine(PostgreSql.on(source).schema(Names.SCHEMA))
                .expiryOnTime(false)
                .open()) {
            Group<Long> accounts = store.group(Names.ACCOUNTS, Long.class);
            long sum = accounts.getAll().values().stream()
                    .mapToLong(Long::longValue)
                    .sum();
            if (sum != Names.SUM) {
                faults.add("The sum over the accounts is " + sum);
            }
            long keys = store.scope(Names.TENANT).count();
            if (keys > Names.MAX_KEYS) {
                faults.add("The scope has " + keys + " entries");
            }
        }
    }

    /** Requires that sequences rise in each slot, also over all rounds, and that no version is given twice. */
    void versions(List<Change> changes, List<String> faults) {
        Map<Long, Long> before = Map.copyOf(highest);
        Set<Long> versions = new TreeSet<>();
        for (Change change : changes) {
            long slot = change.sequence() % SLOTS;
            Long last = highest.put(slot, change.sequence());
            if (last != null && change.sequence() <= last) {
                faults.add("The log has the sequence " + change.sequence() + " after " + last + " in slot " + slot);
            }
            boolean put = change.kind() == Change.Kind.CREATED || change.kind() == Change.Kind.REPLACED;
            if (put && (!versions.add(change.version()) || change.version() <= before.getOrDefault(slot, 0L))) {
                faults.add("The version " + change.version() + " was given twice");
            }
        }
    }
}
