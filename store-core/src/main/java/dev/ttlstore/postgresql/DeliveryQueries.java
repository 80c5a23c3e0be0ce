package dev.ttlstore.postgresql;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.engine.Delivery;
import dev.ttlstore.engine.DeliveryReads;
import dev.ttlstore.engine.DeliveryReads.Backlog;
import dev.ttlstore.engine.GroupRange;
import dev.ttlstore.engine.KeyValue;
import dev.ttlstore.engine.Row;
import dev.ttlstore.engine.Subscriber;

/**
 * The queries for subscribers and their deliveries. Among the waiting deliveries of a key, one has the time of its next attempt,
 * and all others have {@link #PARKED}. A dead letter has null.
 */
final class DeliveryQueries implements DeliveryReads {

    /** The time of a delivery that waits for an earlier one of its key: at the end of the index, where no query looks. */
    static final long PARKED = Long.MAX_VALUE;

    private static final String SUBSCRIBERS = """
            SELECT s.name, s.groups_from, s.groups_to, s.name_in_scopes FROM @subscriber s WHERE s.slot = 0 ORDER BY s.name
            """;

    private static final String COLUMNS =
            "d.id, d.grp, d.key, d.version, d.expires_at, d.attempts, coalesce(d.next_at, " + Row.NEVER + "), d.error";

    private static final String EACH_SLOT = """
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

    private final Runner runner;
    private final Slots slots;

    DeliveryQueries(Runner runner, Slots slots) {
        this.runner = runner;
        this.slots = slots;
    }

    @Override
    public List<Subscriber> subscribers() {
        return runner.list(
                SUBSCRIBERS,
                row -> new Subscriber(
                        row.getString(1), new GroupRange(row.getString(2), row.getString(3)), row.getString(4)));
    }

    @Override
    public List<Delivery> due(String subscriber, long now, int limit) {
        return list(DUE, slots.all(), subscriber, now, limit);
    }

    /** Reads deliveries that are due in some slots. */
    List<Delivery> due(List<Integer> some, String subscriber, long now, int limit) {
        return list(DUE, some, subscriber, now, limit);
    }

    @Override
    public List<Delivery> dead(String subscriber, long after, int limit) {
        return list(DEAD, slots.all(), subscriber, after, limit);
    }

    private List<Delivery> list(String template, List<Integer> some, String subscriber, long bound, int limit) {
        return runner.list(
                template,
                row -> delivery(subscriber, row),
                SlotColumns.integers(some),
                subscriber,
                bound,
                limit,
                limit);
    }

    @Override
    public @Nullable KeyValue value(long id) {
        return runner.first(VALUE, row -> new KeyValue(row.getString(1), row.getBytes(2)), slots.slot(id), id);
    }

    @Override
    public long nextAfter(String subscriber, long now) {
        Long found = runner.<Long>first(
                NEXT_AFTER, row -> row.getLong(1), SlotColumns.integers(slots.all()), subscriber, now, 1, 1);
        return found == null ? Row.NEVER : found;
    }

    @Override
    public long countDead(String subscriber) {
        return backlog(subscriber).dead();
    }

    @Override
    public long countPending(String subscriber) {
        return backlog(subscriber).pending();
    }

    @Override
    public Backlog backlog(String subscriber) {
        return runner.one(
                COUNTS,
                row -> new Backlog(row.getLong(1), SlotColumns.time(row, 2), row.getLong(3)),
                SlotColumns.integers(slots.all()),
                subscriber);
    }

    private static Delivery delivery(String subscriber, ResultSet row) throws SQLException {
        return new Delivery(
                row.getLong(1),
                subscriber,
                SlotColumns.key(row, 2),
                row.getLong(4),
                row.getLong(5),
                row.getInt(6),
                row.getLong(7),
                row.getString(8));
    }
}
