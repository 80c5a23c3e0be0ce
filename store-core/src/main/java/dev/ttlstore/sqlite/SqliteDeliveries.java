package dev.ttlstore.sqlite;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;
import java.util.List;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.engine.Backlog;
import dev.ttlstore.engine.Delivery;
import dev.ttlstore.engine.DeliveryReads;
import dev.ttlstore.engine.DeliveryUpdate;
import dev.ttlstore.engine.DeliveryWrites;
import dev.ttlstore.engine.GroupRange;
import dev.ttlstore.engine.Row;
import dev.ttlstore.engine.RowKey;
import dev.ttlstore.engine.Subscriber;

import static dev.ttlstore.sqlite.Layouts.PARKED;

/**
 * The statements for subscribers and their deliveries, in one session. Among the waiting deliveries of a key, one has
 * the time of its next attempt, and all others have {@link Layouts#PARKED}. A dead letter has null.
 */
final class SqliteDeliveries implements DeliveryReads, DeliveryWrites {

    private static final String SUBSCRIBERS = "SELECT name, groups_from, groups_to FROM subscriber ORDER BY name";

    private static final String COLUMNS =
            "id, grp, key, version, expires_at, attempts, ifnull(next_at, " + Row.NEVER + "), error";

    static final String DUE = """
            SELECT %s
              FROM delivery
             WHERE subscriber = ? AND next_at <= ?
             ORDER BY next_at, id
             LIMIT ?
            """.formatted(COLUMNS);

    static final String VALUE = "SELECT value FROM delivery WHERE id = ?";

    /** Parked deliveries come last, and their time equals {@link Row#NEVER}. */
    static final String NEXT_AFTER = "SELECT min(next_at) FROM delivery WHERE subscriber = ? AND next_at > ?";

    static final String DEAD = """
            SELECT %s
              FROM delivery
             WHERE subscriber = ? AND id > ? AND next_at IS NULL
             ORDER BY id
             LIMIT ?
            """.formatted(COLUMNS);

    static final String COUNT_PENDING = "SELECT count(*) FROM delivery WHERE subscriber = ?1 AND next_at IS NOT NULL";

    static final String COUNT_DEAD = "SELECT count(*) FROM delivery WHERE subscriber = ?1 AND next_at IS NULL";

    static final String BACKLOG = """
            SELECT (%s),
                   (SELECT min(expires_at) FROM delivery WHERE subscriber = ?1 AND next_at IS NOT NULL),
                   (%s)
            """.formatted(COUNT_PENDING, COUNT_DEAD);

    private static final String ADD = """
            INSERT INTO subscriber (name, groups_from, groups_to) VALUES (?, ?, ?)
            ON CONFLICT (name) DO UPDATE SET groups_from = excluded.groups_from, groups_to = excluded.groups_to
            """;

    private static final String REMOVE = "DELETE FROM subscriber WHERE name = ?";

    /** Removes parked deliveries first, so that none is left without the delivery that it waits for. */
    static final String REMOVE_DELIVERIES = """
            DELETE FROM delivery
             WHERE id IN (SELECT id FROM delivery WHERE subscriber = ? ORDER BY next_at DESC LIMIT ?)
            """;

    static final String RECORD = """
            INSERT INTO delivery (subscriber, grp, key, value, version, expires_at, attempts, next_at)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, 0, %s)
            """.formatted(timeUnlessParked("?6", "?1", "?2", "?3"));

    private static final String ACKNOWLEDGE =
            "DELETE FROM delivery WHERE id = ? AND next_at < " + PARKED + " RETURNING subscriber, grp, key";

    private static final String UPDATE = """
            UPDATE delivery SET attempts = ?, next_at = ?, error = ?
             WHERE id = ? AND next_at < %d
            RETURNING subscriber, grp, key
            """.formatted(PARKED);

    /** Gives a due time to the next delivery of a key whose first delivery is done or dead. */
    static final String RELEASE = """
            UPDATE delivery
               SET next_at = min(expires_at, ?4)
             WHERE id = (SELECT id FROM delivery
                          WHERE subscriber = ?1 AND grp = ?2 AND key = ?3 AND next_at IS NOT NULL
                          ORDER BY id
                          LIMIT 1)
            """;

    static final String HASTEN = """
            UPDATE delivery SET next_at = ?2 WHERE subscriber = ?1 AND next_at > ?2 AND next_at < %d
            """.formatted(PARKED);

    static final String DEAD_IDS = "SELECT id FROM delivery WHERE subscriber = ? AND next_at IS NULL ORDER BY id";

    static final String RETRY = """
            UPDATE delivery SET attempts = 0, next_at = %s WHERE id = ?1 AND subscriber = ?2 AND next_at IS NULL
            """.formatted(timeUnlessParked("?3", "?2", "delivery.grp", "delivery.key"));

    private static final String DISCARD =
            "DELETE FROM delivery WHERE subscriber = ?1 AND next_at IS NULL AND (?2 = 0 OR id = ?2)";

    static final String TRIM = """
            DELETE FROM delivery
             WHERE id IN (SELECT id FROM delivery
                           WHERE subscriber = ? AND next_at IS NOT NULL
                           ORDER BY expires_at, id
                           LIMIT ?)
            RETURNING grp, key, next_at
            """;

    private final SqliteSession session;

    /** The deliveries of one key to one subscriber. Only the first has the time of its next attempt. */
    private record Line(String subscriber, RowKey key) {}

    private record Trimmed(Line line, boolean wasFirst) {}

    SqliteDeliveries(SqliteSession session) {
        this.session = session;
    }

    @Override
    public List<Subscriber> subscribers() {
        return session.call(() -> session.bind(SUBSCRIBERS)
                .list(row -> new Subscriber(
                        Columns.text(row, 1), new GroupRange(Columns.text(row, 2), Columns.textOrNull(row, 3)))));
    }

    @Override
    public List<Delivery> due(String subscriber, long now, int limit) {
        return session.call(() ->
                session.bind(DUE).text(subscriber).number(now).number(limit).list(row -> delivery(subscriber, row)));
    }

    @Override
    public byte @Nullable [] value(long id) {
        return session.<byte @Nullable []>call(
                () -> session.bind(VALUE).number(id).first(row -> Columns.bytes(row, 1)));
    }

    @Override
    public long nextAfter(String subscriber, long now) {
        return session.call(
                () -> session.bind(NEXT_AFTER).text(subscriber).number(now).one(row -> Columns.time(row, 1)));
    }

    @Override
    public List<Delivery> dead(String subscriber, long after, int limit) {
        return session.call(() ->
                session.bind(DEAD).text(subscriber).number(after).number(limit).list(row -> delivery(subscriber, row)));
    }

    @Override
    public long countDead(String subscriber) {
        return count(COUNT_DEAD, subscriber);
    }

    @Override
    public long countPending(String subscriber) {
        return count(COUNT_PENDING, subscriber);
    }

    private long count(String sql, String subscriber) {
        return session.call(() -> session.bind(sql).text(subscriber).one(row -> row.getLong(1)));
    }

    @Override
    public Backlog backlog(String subscriber) {
        return session.call(() -> session.bind(BACKLOG)
                .text(subscriber)
                .one(row -> new Backlog(row.getLong(1), Columns.time(row, 2), row.getLong(3))));
    }

    @Override
    public void add(Subscriber subscriber) {
        GroupRange groups = subscriber.groups();
        session.call(() -> session.bind(ADD)
                .text(subscriber.name())
                .text(groups.from())
                .text(groups.to())
                .update());
    }

    @Override
    public boolean remove(String subscriber, int limit) {
        return session.call(() -> {
            boolean last = session.bind(REMOVE_DELIVERIES)
                            .text(subscriber)
                            .number(limit)
                            .update()
                    < limit;
            if (last) {
                session.bind(REMOVE).text(subscriber).update();
            }
            return last;
        });
    }

    @Override
    public void record(String subscriber, Collection<Row> rows) {
        session.call(() -> {
            for (Row row : rows) {
                session.bind(RECORD)
                        .text(subscriber)
                        .name(row.key())
                        .bytes(row.value())
                        .number(row.version())
                        .number(row.expiresAt())
                        .update();
            }
            return true;
        });
    }

    @Override
    public void acknowledge(Collection<Long> ids, long now) {
        session.call(() -> {
            for (long id : ids) {
                Line gone = session.bind(ACKNOWLEDGE).number(id).first(SqliteDeliveries::line);
                if (gone != null) {
                    release(gone, now);
                }
            }
            return true;
        });
    }

    @Override
    public void update(Collection<DeliveryUpdate> updates, long now) {
        session.call(() -> {
            for (DeliveryUpdate changed : updates) {
                Line line = session.bind(UPDATE)
                        .number(changed.attempts())
                        .time(changed.nextAt())
                        .text(changed.error())
                        .number(changed.id())
                        .first(SqliteDeliveries::line);
                if (line != null && changed.nextAt() == Row.NEVER) {
                    release(line, now);
                }
            }
            return true;
        });
    }

    private void release(Line line, long now) throws SQLException {
        session.bind(RELEASE)
                .text(line.subscriber())
                .name(line.key())
                .number(now)
                .update();
    }

    private static Line line(ResultSet row) throws SQLException {
        return new Line(Columns.text(row, 1), Columns.key(row, 2));
    }

    @Override
    public int hasten(String subscriber, long latest) {
        return session.call(
                () -> session.bind(HASTEN).text(subscriber).number(latest).update());
    }

    /**
     * Retries dead letters one by one, because each must see whether an earlier one has become the first of its key.
     */
    @Override
    public int retry(String subscriber, long id, long now) {
        return session.call(() -> {
            int retried = 0;
            for (long each : id == ALL ? deadIds(subscriber) : List.of(id)) {
                retried += session.bind(RETRY)
                        .number(each)
                        .text(subscriber)
                        .number(now)
                        .update();
            }
            return retried;
        });
    }

    private List<Long> deadIds(String subscriber) throws SQLException {
        return session.bind(DEAD_IDS).text(subscriber).list(row -> row.getLong(1));
    }

    @Override
    public int discard(String subscriber, long id) {
        return session.call(
                () -> session.bind(DISCARD).text(subscriber).number(id).update());
    }

    @Override
    public int trim(String subscriber, int limit, long now) {
        return session.call(() -> {
            List<Trimmed> trimmed = session.bind(TRIM)
                    .text(subscriber)
                    .number(limit)
                    .list(row -> new Trimmed(new Line(subscriber, Columns.key(row, 1)), row.getLong(3) != PARKED));
            for (Trimmed delivery : trimmed) {
                if (delivery.wasFirst()) {
                    release(delivery.line(), now);
                }
            }
            return trimmed.size();
        });
    }

    /** Returns SQL for the time of a waiting delivery. The delivery is parked if others of its key wait already. */
    static String timeUnlessParked(String time, String subscriber, String group, String key) {
        return """
            CASE WHEN EXISTS (SELECT 1 FROM delivery AS live
                               WHERE live.subscriber = %s AND live.grp = %s AND live.key = %s
                                 AND live.next_at IS NOT NULL)
                 THEN %d ELSE %s END""".formatted(subscriber, group, key, PARKED, time);
    }

    private static Delivery delivery(String subscriber, ResultSet row) throws SQLException {
        return new Delivery(
                row.getLong(1),
                subscriber,
                Columns.key(row, 2),
                row.getLong(4),
                row.getLong(5),
                row.getInt(6),
                row.getLong(7),
                Columns.textOrNull(row, 8));
    }
}
