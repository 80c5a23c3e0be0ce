package dev.ttlstore.sqlite;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.engine.Deliveries;
import dev.ttlstore.engine.Delivery;
import dev.ttlstore.engine.GroupRange;
import dev.ttlstore.engine.KeyValue;
import dev.ttlstore.engine.Row;
import dev.ttlstore.engine.Subscriber;
import dev.ttlstore.engine.support.HandlersSeen;

/**
 * The queries for subscribers and their deliveries, each in a session of a pool. Among the waiting deliveries of a key, one has the
 * time of its next attempt, and all others have {@link Layouts#PARKED}. A dead letter has null.
 */
final class SqliteDeliveries implements Deliveries {

    private static final String SUBSCRIBERS = RebuiltFile.SUBSCRIBERS + " ORDER BY name";

    private static final String COLUMNS =
            "id, grp, key, version, expires_at, attempts, ifnull(next_at, " + Row.NEVER + "), error";

    static final String DUE = """
            SELECT %s
              FROM delivery
             WHERE subscriber = ? AND next_at <= ?
             ORDER BY next_at, id
             LIMIT ?
            """.formatted(COLUMNS);

    static final String VALUE =
            "SELECT grp, key, version, value, " + RowChecksum.COLUMN + " FROM delivery WHERE id = ?";

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

    static final String BACKLOG = """
            SELECT (%s),
                   (SELECT min(expires_at) FROM delivery WHERE subscriber = ?1 AND next_at IS NOT NULL),
                   (SELECT count(*) FROM delivery WHERE subscriber = ?1 AND next_at IS NULL)
            """.formatted(COUNT_PENDING);

    private final SessionPool pool;
    private final HandlersSeen handlers = new HandlersSeen();

    SqliteDeliveries(SessionPool pool) {
        this.pool = pool;
    }

    /** Reads the subscribers in a session. */
    static List<Subscriber> subscribers(SqliteSession session) {
        return session.bind(SUBSCRIBERS)
                .list(row -> new Subscriber(
                        EntryColumns.text(row, 1),
                        new GroupRange(EntryColumns.text(row, 2), EntryColumns.textOrNull(row, 3)),
                        EntryColumns.nameOrNull(row, 4)));
    }

    private <R extends @Nullable Object> R read(String sql, Function<SqliteStatement, R> query) {
        return pool.with(session -> query.apply(session.bind(sql)));
    }

    @Override
    public List<Subscriber> subscribers() {
        return pool.with(SqliteDeliveries::subscribers);
    }

    @Override
    public List<Delivery> claim(String subscriber, long now, long until, int limit) {
        handlers.see(subscriber, now);
        return read(
                DUE, query -> query.text(subscriber).number(now).number(limit).list(row -> delivery(subscriber, row)));
    }

    @Override
    public void renew(String subscriber, long now, long until) {
        handlers.see(subscriber, now);
    }

    @Override
    public long lastSeen(String subscriber) {
        return handlers.lastSeen(subscriber);
    }

    @Override
    public void forget(String subscriber) {
        handlers.forget(subscriber);
    }

    @Override
    public @Nullable KeyValue value(long id) {
        return this.<@Nullable KeyValue>read(VALUE, query -> query.number(id)
                .first(row -> EntryColumns.keyValue(EntryColumns.text(row, 1), row, 2)));
    }

    @Override
    public long nextAfter(String subscriber, long now) {
        return read(NEXT_AFTER, query -> query.text(subscriber).number(now).one(row -> EntryColumns.time(row, 1)));
    }

    @Override
    public List<Delivery> dead(String subscriber, long after, int limit) {
        return read(
                DEAD,
                query -> query.text(subscriber).number(after).number(limit).list(row -> delivery(subscriber, row)));
    }

    @Override
    public Backlog backlog(String subscriber) {
        return read(BACKLOG, query -> query.text(subscriber)
                .one(row -> new Backlog(row.getLong(1), EntryColumns.time(row, 2), row.getLong(3))));
    }

    private static Delivery delivery(String subscriber, ResultSet row) throws SQLException {
        return new Delivery(
                row.getLong(1),
                subscriber,
                EntryColumns.key(row, 2),
                row.getLong(4),
                row.getLong(5),
                row.getInt(6),
                row.getLong(7),
                EntryColumns.textOrNull(row, 8));
    }
}
