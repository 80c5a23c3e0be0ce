package dev.ttlstore.postgresql;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;

import dev.ttlstore.engine.ClockLeap;
import dev.ttlstore.engine.Delivery;
import dev.ttlstore.engine.DeliveryClaims;

/**
 * Shares the deliveries of a subscriber by slots: a node that takes deliveries of a slot has the lease of the slot until it ends,
 * and meanwhile gets all deliveries there. A lease is one row for many deliveries. Thread-safe.
 */
final class Claims implements DeliveryClaims {

    /** How often a node notes that it is at work for a subscriber, when it has nothing to do. */
    private static final long SEEN_EVERY_MILLIS = 10_000;

    /** Takes the leases of slots with a delivery that is due, unless another node has them. Extends this node's in time. */
    private static final String CLAIM = """
            INSERT INTO @lease (slot, role, node, until)
            SELECT s.slot, ?, ?, ?
              FROM pg_catalog.unnest(?::int[]) s (slot)
             WHERE EXISTS (SELECT 1 FROM @delivery d
                            WHERE d.slot = s.slot AND d.subscriber = ?::text AND d.next_at <= ?)
               AND NOT EXISTS (SELECT 1 FROM @lease p
                                WHERE p.slot = s.slot AND p.role = ?::text AND p.until > ? AND p.until <= ? AND (p.node <> ? OR p.until > ?))
             ORDER BY s.slot
                ON CONFLICT (slot, role) DO UPDATE
               SET node = excluded.node, until = excluded.until
             WHERE lease.node = excluded.node OR lease.until <= ? OR lease.until > ?
            """;

    /** What {@link #CLAIM} selects, for a distributed database, where each lease is then taken by itself. */
    private static final String FREE = """
            SELECT s.slot
              FROM {slots}
             WHERE EXISTS (SELECT 1 FROM @delivery d
                            WHERE d.slot = s.slot AND d.subscriber = ?::text AND d.next_at <= ?)
               AND NOT EXISTS (SELECT 1 FROM @lease p
                                WHERE p.slot = s.slot AND p.role = ?::text AND p.until > ? AND p.until <= ? AND (p.node <> ? OR p.until > ?))
             ORDER BY s.slot
            """;

    private static final String TAKE = """
            INSERT INTO @lease (slot, role, node, until) VALUES (?, ?, ?, ?)
                ON CONFLICT (slot, role) DO UPDATE
               SET node = excluded.node, until = excluded.until
             WHERE lease.node = excluded.node OR lease.until <= ? OR lease.until > ?
            """;

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

    private final NodeParts parts;
    private final Runner runner;
    private final DeliveryQueries queries;
    private final Map<String, Long> seen = new ConcurrentHashMap<>();

    Claims(NodeParts parts) {
        this.parts = parts;
        this.runner = Runner.of(parts.connections());
        this.queries = new DeliveryQueries(runner, parts.slots());
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
    public List<Delivery> claim(String subscriber, long now, long until, int limit) {
        long present = parts.times().now();
        see(subscriber, present, false);
        long latest = Times.latestBelievable(present);
        long lease = until - now;
        Set<Integer> own = new TreeSet<>(); // the script may run twice
        String role = role(subscriber);
        SlotColumns.Column all = SlotColumns.integers(parts.slots().all());
        Script script = runner.script();
        if (script.isDistributed()) {
            claimEach(subscriber, present, lease);
        } else {
            script.add(
                    CLAIM,
                    role,
                    parts.node(),
                    present + lease,
                    all,
                    subscriber,
                    present,
                    role,
                    present,
                    latest,
                    parts.node(),
                    present + lease / 2,
                    present,
                    latest);
        }
        parts.connections()
                .change(
                        parts.timeouts(),
                        script.query(OWN, row -> own.add(row.getInt(1)), all, role, parts.node(), present));
        return own.isEmpty() ? List.of() : queries.due(List.copyOf(own), subscriber, present, limit);
    }

    private void claimEach(String subscriber, long present, long lease) {
        long latest = Times.latestBelievable(present);
        String role = role(subscriber);
        List<Integer> free = runner.list(
                FREE,
                row -> row.getInt(1),
                SlotColumns.integers(parts.slots().all()),
                subscriber,
                present,
                role,
                present,
                latest,
                parts.node(),
                present + lease / 2);
        for (int slot : free) {
            change(TAKE, slot, role, parts.node(), present + lease, present, latest);
        }
    }

    @Override
    public void renew(String subscriber, long now, long until) {
        extend(subscriber, until - now);
    }

    @Override
    public void release(String subscriber, long now) {
        extend(subscriber, 0);
    }

    private void extend(String subscriber, long millis) {
        long present = parts.times().now();
        change(
                EXTEND,
                present + millis,
                role(subscriber),
                parts.node(),
                SlotColumns.integers(parts.slots().all()));
        see(subscriber, present, millis == 0);
    }

    private void change(String template, Object... parameters) {
        parts.connections().change(parts.timeouts(), runner.script().add(template, parameters));
    }

    private void see(String subscriber, long present, boolean always) {
        Long before = seen.get(subscriber);
        if (always || before == null || Math.abs(present - before) >= SEEN_EVERY_MILLIS) {
            change(SEE, seenRole(subscriber), parts.node(), present, Times.latestBelievable(present));
            seen.put(subscriber, present);
        }
    }

    @Override
    public long lastSeen(String subscriber) {
        Long found = runner.<Long>first(LAST_SEEN, row -> row.getLong(1), seenRole(subscriber));
        return found == null || !ClockLeap.isBelievable(found, parts.times().now()) ? UNSEEN : found;
    }
}
