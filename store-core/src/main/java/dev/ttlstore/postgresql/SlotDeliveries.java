package dev.ttlstore.postgresql;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.engine.ClockLeap;
import dev.ttlstore.engine.Deliveries;
import dev.ttlstore.engine.Delivery;
import dev.ttlstore.engine.GroupRange;
import dev.ttlstore.engine.KeyValue;
import dev.ttlstore.engine.Row;
import dev.ttlstore.engine.Subscriber;

/**
 * The committed subscribers and their deliveries. Among the waiting deliveries of a key, one has the time of its next attempt, and all
 * others have {@link #PARKED}. A dead letter has null. The deliveries of a subscriber are shared by slots: a node that takes deliveries
 * of a slot has the lease of the slot until it ends, and meanwhile gets all deliveries there. A lease is one row for many deliveries.
 * Thread-safe.
 */
final class SlotDeliveries implements Deliveries {

    /** The time of a delivery that waits for an earlier one of its key: at the end of the index, where no query looks. */
    static final long PARKED = Long.MAX_VALUE;

    private static final String SUBSCRIBERS = """
            SELECT s.name, s.groups_from, s.groups_to, s.name_in_scopes FROM @subscriber s WHERE s.slot = 0 ORDER BY s.name
            """;

    static final String COLUMNS =
            "d.id, d.grp, d.key, d.version, d.expires_at, d.attempts, coalesce(d.next_at, " + Row.NEVER + "), d.error";

    /** Some columns of the first deliveries of a subscriber in slots for which a condition holds, in an order within a slot and between all. */
    static final String EACH_SLOT = """
            SELECT f.*
              FROM {slots}
             CROSS JOIN LATERAL (
                   SELECT %s
                     FROM @delivery d
                    WHERE d.slot = s.slot AND d.subscriber = ?::text AND %s
                    ORDER BY %s
                    LIMIT ?) f
             ORDER BY %s
             LIMIT ?
            """;

    private static final String DUE = EACH_SLOT.formatted(COLUMNS, "d.next_at <= ?", "d.next_at, d.id", "7, 1");

    private static final String DEAD = EACH_SLOT.formatted(COLUMNS, "d.id > ? AND d.next_at IS NULL", "d.id", "1");

    /** Parked deliveries come last, and their time equals {@link Row#NEVER}. */
    private static final String NEXT_AFTER = EACH_SLOT.formatted("d.next_at", "d.next_at > ?", "d.next_at", "1");

    private static final String VALUE = "SELECT d.key, d.value FROM @delivery d WHERE d.slot = ? AND d.id = ?";

    private static final String COUNTS = """
            SELECT pg_catalog.count(d.next_at), min(CASE WHEN d.next_at IS NULL THEN NULL ELSE d.expires_at END),
                   count(*) - pg_catalog.count(d.next_at)
              FROM @delivery d
             WHERE d.slot = ANY (?) AND d.subscriber = ?::text
            """;

    /** How often a node notes that it is at work for a subscriber, when it has nothing to do. */
    private static final long SEEN_EVERY_MILLIS = 10_000;

    /** Slots with a delivery that is due, whose lease no other node has, and this one not for long. */
    private static final String CLAIMABLE = """
             WHERE EXISTS (SELECT 1 FROM @delivery d
                            WHERE d.slot = s.slot AND d.subscriber = ?::text AND d.next_at <= ?)
               AND NOT EXISTS (SELECT 1 FROM @lease p
                                WHERE p.slot = s.slot AND p.role = ?::text AND p.until > ? AND p.until <= ? AND (p.node <> ? OR p.until > ?))
             ORDER BY s.slot
            """;

    /** Takes a lease that this node has already, that has ended, or that no believable clock has made. */
    private static final String TAKE_OVER = """
                ON CONFLICT (slot, role) DO UPDATE
               SET node = excluded.node, until = excluded.until
             WHERE lease.node = excluded.node OR lease.until <= ? OR lease.until > ?
            """;

    /** Takes the leases of all {@link #CLAIMABLE} slots. */
    private static final String CLAIM = """
            INSERT INTO @lease (slot, role, node, until)
            SELECT s.slot, ?, ?, ?
              FROM pg_catalog.unnest(?::int[]) s (slot)
            """ + CLAIMABLE + TAKE_OVER;

    /** What {@link #CLAIM} selects, for a distributed database, where each lease is then taken by itself. */
    private static final String FREE = """
            SELECT s.slot
              FROM {slots}
            """ + CLAIMABLE;

    private static final String TAKE = """
            INSERT INTO @lease (slot, role, node, until) VALUES (?, ?, ?, ?)
            """ + TAKE_OVER;

    private static final String OWN =
            "SELECT p.slot FROM @lease p WHERE p.slot = ANY (?) AND p.role = ?::text AND p.node = ? AND p.until > ?";

    private static final String EXTEND =
            "UPDATE @lease p SET until = ? WHERE p.role = ?::text AND p.node = ? AND p.slot = ANY (?)";

    private static final String SEE = """
            INSERT INTO @lease (slot, role, node, until) VALUES (0, ?, ?, ?)
                ON CONFLICT (slot, role) DO UPDATE
               SET node = excluded.node,
                   until = CASE WHEN lease.until BETWEEN excluded.until AND ? THEN lease.until ELSE excluded.until END
            """;

    private static final String LAST_SEEN = "SELECT p.until FROM @lease p WHERE p.slot = 0 AND p.role = ?::text";

    private final NodeContext node;
    private final Connections connections;
    private final Map<String, Long> seen = new ConcurrentHashMap<>();

    SlotDeliveries(NodeContext node) {
        this.node = node;
        this.connections = node.connections();
    }

    /** The role of the leases of a subscriber. */
    static String role(String subscriber) {
        return "deliver " + subscriber;
    }

    /** The role of the row that says when a node was last at work for a subscriber. */
    static String seenRole(String subscriber) {
        return "seen " + subscriber;
    }

    @Override
    public List<Subscriber> subscribers() {
        return subscribers(connections);
    }

    /** Lists all subscribers, within a transaction or by themselves. */
    static List<Subscriber> subscribers(QueryRunner runner) {
        return runner.list(
                SUBSCRIBERS,
                row -> new Subscriber(
                        row.getString(1), new GroupRange(row.getString(2), row.getString(3)), row.getString(4)));
    }

    @Override
    public List<Delivery> claim(String subscriber, long now, long until, int limit) {
        long present = node.clock().now();
        see(subscriber, present, false);
        long latest = ServerClock.latestBelievable(present);
        long lease = until - now;
        Set<Integer> own = new TreeSet<>(); // the script may run twice
        String role = role(subscriber);
        RowColumns.Column all = RowColumns.integers(node.slots().all());
        Script script = connections.script();
        if (script.isDistributed()) {
            claimEach(subscriber, present, lease);
        } else {
            script.add(
                    CLAIM,
                    role,
                    node.id(),
                    present + lease,
                    all,
                    subscriber,
                    present,
                    role,
                    present,
                    latest,
                    node.id(),
                    present + lease / 2,
                    present,
                    latest);
        }
        connections.change(script.query(OWN, row -> own.add(row.getInt(1)), all, role, node.id(), present));
        return own.isEmpty() ? List.of() : list(DUE, List.copyOf(own), subscriber, present, limit);
    }

    private void claimEach(String subscriber, long present, long lease) {
        long latest = ServerClock.latestBelievable(present);
        String role = role(subscriber);
        List<Integer> free = connections.list(
                FREE,
                row -> row.getInt(1),
                RowColumns.integers(node.slots().all()),
                subscriber,
                present,
                role,
                present,
                latest,
                node.id(),
                present + lease / 2);
        for (int slot : free) {
            connections.change(TAKE, slot, role, node.id(), present + lease, present, latest);
        }
    }

    @Override
    public void renew(String subscriber, long now, long until) {
        long present = node.clock().now();
        connections.change(
                EXTEND,
                present + until - now,
                role(subscriber),
                node.id(),
                RowColumns.integers(node.slots().all()));
        see(subscriber, present, until == now);
    }

    private void see(String subscriber, long present, boolean always) {
        Long before = seen.get(subscriber);
        if (always || before == null || Math.abs(present - before) >= SEEN_EVERY_MILLIS) {
            connections.change(SEE, seenRole(subscriber), node.id(), present, ServerClock.latestBelievable(present));
            seen.put(subscriber, present);
        }
    }

    @Override
    public long lastSeen(String subscriber) {
        Long found = connections.<Long>first(LAST_SEEN, row -> row.getLong(1), seenRole(subscriber));
        return found == null || !ClockLeap.isBelievable(found, node.clock().now()) ? UNSEEN : found;
    }

    @Override
    public void forget(String subscriber) {
        Long unused = seen.remove(subscriber);
    }

    @Override
    public List<Delivery> dead(String subscriber, long after, int limit) {
        return list(DEAD, node.slots().all(), subscriber, after, limit);
    }

    private List<Delivery> list(String template, List<Integer> some, String subscriber, long bound, int limit) {
        return connections.list(
                template, row -> delivery(subscriber, row), RowColumns.integers(some), subscriber, bound, limit, limit);
    }

    @Override
    public @Nullable KeyValue value(long id) {
        return connections.first(
                VALUE,
                row -> new KeyValue(row.getString(1), row.getBytes(2)),
                node.slots().slot(id),
                id);
    }

    @Override
    public long nextAfter(String subscriber, long now) {
        Long found = connections.<Long>first(
                NEXT_AFTER,
                row -> row.getLong(1),
                RowColumns.integers(node.slots().all()),
                subscriber,
                now,
                1,
                1);
        return found == null ? Row.NEVER : found;
    }

    @Override
    public Backlog backlog(String subscriber) {
        return backlog(connections, node.slots(), subscriber);
    }

    /** Counts a subscriber's deliveries, within a transaction or by themselves. */
    static Backlog backlog(QueryRunner runner, Slots slots, String subscriber) {
        return runner.one(
                COUNTS,
                row -> new Backlog(row.getLong(1), RowColumns.time(row, 2), row.getLong(3)),
                RowColumns.integers(slots.all()),
                subscriber);
    }

    /** Reads {@link #COLUMNS}. */
    static Delivery delivery(String subscriber, ResultSet row) throws SQLException {
        return new Delivery(
                row.getLong(1),
                subscriber,
                RowColumns.key(row, 2),
                row.getLong(4),
                row.getLong(5),
                row.getInt(6),
                row.getLong(7),
                row.getString(8));
    }
}
