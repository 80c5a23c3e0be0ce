package dev.ttlstore.postgresql;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.engine.GroupUsage;
import dev.ttlstore.engine.Namespaces;
import dev.ttlstore.engine.Place;
import dev.ttlstore.engine.RowKey;
import dev.ttlstore.engine.support.Inspection;
import dev.ttlstore.engine.support.RecordCheck;
import dev.ttlstore.engine.support.RecordCheck.Name;
import dev.ttlstore.exception.StoreCorruptedException;
import dev.ttlstore.verification.Finding.Kind;

/**
 * Verifies the rows of all tables as of one moment, slot by slot and page by page, in one transaction that only reads. The server looks
 * after the structure of its own files. Used by one thread.
 */
final class SlotVerification implements QueryRunner {

    private static final int PAGE_ROWS = 1_000;

    private static final String SUBSCRIBERS = "SELECT s.slot, s.name FROM @subscriber s";

    private static final String ENTRIES = """
            SELECT e.grp, e.key, e.version, e.created_at, e.updated_at, e.expires_at, e.due_at
              FROM @entry e
             WHERE e.slot = ? AND (e.grp, e.key) > (?::text, ?::text)
             ORDER BY e.grp, e.key
             LIMIT %d
            """.formatted(PAGE_ROWS);

    private static final String RETAINED = """
            SELECT r.grp, r.key, r.version, r.created_at, r.updated_at, r.expires_at
              FROM @retained r
             WHERE r.slot = ? AND (r.expires_at, r.grp, r.key, r.version) > (?, ?::text, ?::text, ?)
             ORDER BY r.expires_at, r.grp, r.key, r.version
             LIMIT %d
            """.formatted(PAGE_ROWS);

    private static final String DELIVERIES = """
            SELECT d.grp, d.key, d.version, d.subscriber, d.id
              FROM @delivery d
             WHERE d.slot = ? AND d.id > ?
             ORDER BY d.id
             LIMIT %d
            """.formatted(PAGE_ROWS);

    private static final String LINES = """
            SELECT d.grp, d.key, pg_catalog.count(CASE WHEN d.next_at < %d THEN 1 END)
              FROM @delivery d
             WHERE d.slot = ? AND d.next_at IS NOT NULL
             GROUP BY d.subscriber, d.grp, d.key
            HAVING pg_catalog.count(CASE WHEN d.next_at < %1$d THEN 1 END) <> 1
            """.formatted(SlotDeliveries.PARKED);

    private static final String USAGE =
            "SELECT u.namespace, u.grp, u.keys, u.bytes, u.groups FROM @usage u WHERE u.slot = ?";

    private final NodeContext node;
    private final Inspection inspection;
    private final RecordCheck check;
    private final Connections.Borrowed connection;
    private final Map<Integer, LogHead> heads = new HashMap<>();
    private final Set<String> subscribers = new HashSet<>();

    private SlotVerification(NodeContext node, Inspection inspection, Connections.Borrowed connection) {
        this.node = node;
        this.inspection = inspection;
        this.check = new RecordCheck(inspection);
        this.connection = connection;
    }

    /** Verifies everything. */
    static void run(NodeContext node, Inspection inspection) {
        try (Connections.Borrowed connection = node.connections().borrow()) {
            new SlotVerification(node, inspection, connection).run();
        } catch (StoreCorruptedException e) {
            Throwable cause = e.getCause();
            inspection.found(
                    Kind.STRUCTURE,
                    "The verification ended early, because the server cannot read its files: "
                            + (cause == null ? e : cause).getMessage());
        }
    }

    private void run() {
        inspection.step("log");
        begin();
        for (int slot : node.slots().all()) {
            if (!heads.containsKey(slot)) {
                inspection.found(Kind.STRUCTURE, "The log of slot " + slot + " has no newest commit");
            }
        }
        inspection.step("entries");
        node.slots().all().forEach(this::entries);
        inspection.step("retained");
        node.slots().all().forEach(this::retained);
        inspection.step("deliveries");
        node.slots().all().forEach(this::deliveries);
        inspection.step("usage");
        node.slots().all().forEach(this::usage);
    }

    private void begin() {
        Script script = ReadTransaction.begin(connection, script());
        Script unused = LogHead.query(script, node.slots().all(), head -> heads.put(head.slot(), head))
                .query(SUBSCRIBERS, row -> {
                    inspection.row();
                    if (row.getInt(1) == 0) {
                        subscribers.add(row.getString(2));
                    } else {
                        inspection.found(Kind.SLOT, "The subscriber " + row.getString(2) + " is not in slot 0");
                    }
                });
        try {
            connection.runFirst(script);
        } catch (SQLException e) {
            throw Errors.translate(e);
        }
    }

    @Override
    public Script script() {
        return node.connections().script();
    }

    @Override
    public void run(Script script) {
        try {
            connection.run(script);
        } catch (SQLException e) {
            throw Errors.isConflict(e) ? Errors.refused(e) : Errors.translate(e);
        }
        inspection.requireGoingOn();
    }

    /** Verifies a row, and returns its time, or another number by which the pages are ordered. */
    private interface Rule {
        long check(Name name, ResultSet row) throws SQLException;
    }

    /** Verifies the rows of a query, whose parameters come from the place of the last row of the page before. */
    private void pages(String query, int slot, Function<Place, List<Object>> parameters, Rule rule) {
        Place[] last = {Place.START};
        int[] rows = {PAGE_ROWS};
        while (rows[0] == PAGE_ROWS) {
            rows[0] = 0;
            run(script().query(
                            query,
                            row -> {
                                rows[0]++;
                                inspection.row();
                                String group = row.getString(1);
                                Name name = new Name(group, row.getString(2));
                                long version = row.getLong(3);
                                common(slot, group, name, version);
                                long number = rule.check(name, row);
                                last[0] = new Place(number, new RowKey(group, row.getString(2)), version);
                            },
                            parameters.apply(last[0]).toArray()));
        }
    }

    private void common(int slot, String group, Name name, long version) {
        check.name(name);
        int own = node.slots().of(group);
        if (own != slot) {
            check.report(Kind.SLOT, name, "The row is in slot " + slot + ", but its group belongs to slot " + own);
        }
        LogHead head = heads.get(slot);
        if (version < 0 || (head != null && node.slots().seq(version) >= head.seq() + head.taken())) {
            check.report(
                    Kind.VERSION,
                    name,
                    "The entry has the version " + version + ", but its slot has not handed out this number");
        }
    }

    private void entries(int slot) {
        pages(ENTRIES, slot, last -> List.of(slot, last.key()), (name, row) -> {
            check.times(name, row.getLong(4), row.getLong(5));
            check.expiry(
                    name, RowColumns.numberOrNull(row, 6), RowColumns.numberOrNull(row, 7), ExpiryIndex.MAX_LAG_MILLIS);
            return 0;
        });
    }

    private void retained(int slot) {
        pages(RETAINED, slot, last -> List.of(slot, last.time(), last.key(), last.version()), (name, row) -> {
            check.times(name, row.getLong(4), row.getLong(5));
            return row.getLong(6);
        });
    }

    private void deliveries(int slot) {
        pages(DELIVERIES, slot, last -> List.of(slot, last.time()), (name, row) -> {
            String subscriber = row.getString(4);
            if (!subscribers.contains(subscriber)) {
                check.orphan(name, subscriber);
            }
            long id = row.getLong(5);
            if (node.slots().slot(id) != slot) {
                check.report(
                        Kind.SLOT, name, "A delivery of the entry has the id " + id + ", which is of another slot");
            }
            return id;
        });
        run(script().query(
                        LINES,
                        row -> check.disorder(new Name(row.getString(1), row.getString(2)), row.getLong(3)),
                        slot));
    }

    /** The usage of a namespace as it is stored. */
    private static final class Stored {
        private final Map<String, GroupUsage> groups = new TreeMap<>();
        private @Nullable GroupUsage sum;
        private long count;
    }

    private void usage(int slot) {
        Map<String, Stored> namespaces = new TreeMap<>();
        run(script().query(
                        USAGE,
                        row -> {
                            Stored stored = namespaces.computeIfAbsent(row.getString(1), name -> new Stored());
                            String group = row.getString(2);
                            GroupUsage usage = new GroupUsage(group, row.getLong(3), row.getLong(4));
                            if (group.isEmpty()) {
                                stored.sum = usage;
                                stored.count = row.getLong(5);
                            } else {
                                stored.groups.put(group, usage);
                            }
                        },
                        slot));
        namespaces.forEach((namespace, stored) -> {
            int own = node.slots().of(Namespaces.prefix(namespace));
            if (own == slot) {
                compare(namespace, stored);
            } else {
                inspection.found(
                        Kind.SLOT,
                        "The usage of the namespace " + namespace + " is in slot " + slot + ", not in " + own);
            }
        });
    }

    private void compare(String namespace, Stored stored) {
        List<GroupUsage> counted =
                new ArrayList<>(new RowQueries(this, node.slots()).usage(Namespaces.groups(namespace)));
        long keys = 0;
        long bytes = 0;
        for (GroupUsage usage : counted) {
            keys += usage.rows();
            bytes += usage.bytes();
            differs(usage.group(), stored.groups.remove(usage.group()), usage);
        }
        stored.groups.values().forEach(usage -> differs(usage.group(), usage, null));
        differs(Namespaces.prefix(namespace), stored.sum, new GroupUsage("", keys, bytes));
        if (stored.sum != null && stored.count != counted.size()) {
            inspection.found(
                    Kind.USAGE,
                    Namespaces.prefix(namespace),
                    null,
                    "The namespace is believed to have " + stored.count + " groups, but has " + counted.size());
        }
    }

    private void differs(String group, @Nullable GroupUsage believed, @Nullable GroupUsage found) {
        if (believed == null ? found != null : !believed.equals(found)) {
            inspection.found(
                    Kind.USAGE,
                    group,
                    null,
                    "The table of usage has " + RecordCheck.text(believed) + " for it, but there are "
                            + RecordCheck.text(found));
        }
    }
}
