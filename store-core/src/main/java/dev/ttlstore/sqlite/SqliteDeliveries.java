package dev.ttlstore.sqlite;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.util.ArrayList;
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

import static dev.ttlstore.sqlite.SqliteSchema.PARKED;

/**
 * The statements about subscribers and their deliveries, on one session. Of the deliveries of a key that are to be tried one
 * has the time of its next try, and all others {@link SqliteSchema#PARKED}; that of a dead letter is null.
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

    /** Those that are parked come last, and their time is that of never. */
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

    /** Those that are parked go first, so that none is left without the one that it waits for. */
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

    /** The next one of a key whose first is no more. */
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

    /** A key of which a subscriber is told. */
    private record Line(String subscriber, RowKey key) {}

    SqliteDeliveries(SqliteSession session) {
        this.session = session;
    }

    @Override
    public List<Subscriber> subscribers() {
        return session.call(() -> {
            List<Subscriber> subscribers = new ArrayList<>();
            try (ResultSet result = session.prepare(SUBSCRIBERS).executeQuery()) {
                while (result.next()) {
                    GroupRange groups = new GroupRange(SqliteReads.text(result, 2), textOrNull(result, 3));
                    subscribers.add(new Subscriber(SqliteReads.text(result, 1), groups));
                }
            }
            return subscribers;
        });
    }

    @Override
    public List<Delivery> due(String subscriber, long now, int limit) {
        return session.call(() -> {
            PreparedStatement statement = session.prepare(DUE);
            statement.setString(1, subscriber);
            statement.setLong(2, now);
            statement.setInt(3, limit);
            return deliveries(subscriber, statement);
        });
    }

    @Override
    public byte @Nullable [] value(long id) {
        return session.<byte @Nullable []>call(() -> {
            PreparedStatement statement = session.prepare(VALUE);
            statement.setLong(1, id);
            try (ResultSet result = statement.executeQuery()) {
                return result.next() ? SqliteReads.bytes(result, 1) : null;
            }
        });
    }

    @Override
    public long nextAfter(String subscriber, long now) {
        return session.call(() -> {
            PreparedStatement statement = session.prepare(NEXT_AFTER);
            statement.setString(1, subscriber);
            statement.setLong(2, now);
            try (ResultSet result = statement.executeQuery()) {
                result.next();
                return timeOrNever(result, 1);
            }
        });
    }

    @Override
    public List<Delivery> dead(String subscriber, long after, int limit) {
        return session.call(() -> {
            PreparedStatement statement = session.prepare(DEAD);
            statement.setString(1, subscriber);
            statement.setLong(2, after);
            statement.setInt(3, limit);
            return deliveries(subscriber, statement);
        });
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
        return session.call(() -> {
            PreparedStatement statement = session.prepare(sql);
            statement.setString(1, subscriber);
            try (ResultSet result = statement.executeQuery()) {
                result.next();
                return result.getLong(1);
            }
        });
    }

    @Override
    public Backlog backlog(String subscriber) {
        return session.call(() -> {
            PreparedStatement statement = session.prepare(BACKLOG);
            statement.setString(1, subscriber);
            try (ResultSet result = statement.executeQuery()) {
                result.next();
                return new Backlog(result.getLong(1), timeOrNever(result, 2), result.getLong(3));
            }
        });
    }

    @Override
    public void add(Subscriber subscriber) {
        update(ADD, statement -> {
            statement.setString(1, subscriber.name());
            statement.setString(2, subscriber.groups().from());
            statement.setString(3, subscriber.groups().to());
        });
    }

    @Override
    public boolean remove(String subscriber, int limit) {
        int removed = update(REMOVE_DELIVERIES, statement -> {
            statement.setString(1, subscriber);
            statement.setInt(2, limit);
        });
        boolean last = removed < limit;
        if (last) {
            update(REMOVE, statement -> statement.setString(1, subscriber));
        }
        return last;
    }

    @Override
    public void record(String subscriber, Collection<Row> rows) {
        for (Row row : rows) {
            update(RECORD, statement -> {
                statement.setString(1, subscriber);
                statement.setString(2, row.key().group());
                statement.setString(3, row.key().key());
                statement.setBytes(4, row.value());
                statement.setLong(5, row.version());
                statement.setLong(6, row.expiresAt());
            });
        }
    }

    @Override
    public void acknowledge(Collection<Long> ids, long now) {
        for (long id : ids) {
            Line gone = line(ACKNOWLEDGE, statement -> statement.setLong(1, id));
            if (gone != null) {
                release(gone, now);
            }
        }
    }

    @Override
    public void update(Collection<DeliveryUpdate> updates, long now) {
        for (DeliveryUpdate changed : updates) {
            boolean dies = changed.nextAt() == Row.NEVER;
            Line line = line(UPDATE, statement -> {
                statement.setInt(1, changed.attempts());
                if (dies) {
                    statement.setNull(2, Types.INTEGER);
                } else {
                    statement.setLong(2, changed.nextAt());
                }
                statement.setString(3, changed.error());
                statement.setLong(4, changed.id());
            });
            if (dies && line != null) {
                release(line, now);
            }
        }
    }

    private void release(Line line, long now) {
        update(RELEASE, statement -> {
            statement.setString(1, line.subscriber());
            statement.setString(2, line.key().group());
            statement.setString(3, line.key().key());
            statement.setLong(4, now);
        });
    }

    /** Changes one delivery, and answers whose it is; null if it is not there. */
    private @Nullable Line line(String sql, Parameters parameters) {
        return session.<@Nullable Line>call(() -> {
            PreparedStatement statement = session.prepare(sql);
            parameters.set(statement);
            try (ResultSet result = statement.executeQuery()) {
                if (!result.next()) {
                    return null;
                }
                RowKey key = new RowKey(SqliteReads.text(result, 2), SqliteReads.text(result, 3));
                return new Line(SqliteReads.text(result, 1), key);
            }
        });
    }

    @Override
    public int hasten(String subscriber, long latest) {
        return update(HASTEN, statement -> {
            statement.setString(1, subscriber);
            statement.setLong(2, latest);
        });
    }

    /** One by one, for each has to see whether one before has come to be the first of its key. */
    @Override
    public int retry(String subscriber, long id, long now) {
        int retried = 0;
        for (long each : id == ALL ? deadIds(subscriber) : List.of(id)) {
            retried += update(RETRY, statement -> {
                statement.setLong(1, each);
                statement.setString(2, subscriber);
                statement.setLong(3, now);
            });
        }
        return retried;
    }

    private List<Long> deadIds(String subscriber) {
        return session.call(() -> {
            PreparedStatement statement = session.prepare(DEAD_IDS);
            statement.setString(1, subscriber);
            List<Long> ids = new ArrayList<>();
            try (ResultSet result = statement.executeQuery()) {
                while (result.next()) {
                    ids.add(result.getLong(1));
                }
            }
            return ids;
        });
    }

    @Override
    public int discard(String subscriber, long id) {
        return update(DISCARD, statement -> {
            statement.setString(1, subscriber);
            statement.setLong(2, id);
        });
    }

    @Override
    public int trim(String subscriber, int limit, long now) {
        List<Line> ended = new ArrayList<>();
        int trimmed = session.call(() -> {
            PreparedStatement statement = session.prepare(TRIM);
            statement.setString(1, subscriber);
            statement.setInt(2, limit);
            int removed = 0;
            try (ResultSet result = statement.executeQuery()) {
                while (result.next()) {
                    removed++;
                    if (result.getLong(3) != PARKED) {
                        RowKey key = new RowKey(SqliteReads.text(result, 1), SqliteReads.text(result, 2));
                        ended.add(new Line(subscriber, key));
                    }
                }
            }
            return removed;
        });
        ended.forEach(line -> release(line, now));
        return trimmed;
    }

    /** SQL for the time of a delivery that is to be tried: it is parked if there are such of its key. */
    static String timeUnlessParked(String time, String subscriber, String group, String key) {
        return """
            CASE WHEN EXISTS (SELECT 1 FROM delivery AS live
                               WHERE live.subscriber = %s AND live.grp = %s AND live.key = %s
                                 AND live.next_at IS NOT NULL)
                 THEN %d ELSE %s END""".formatted(subscriber, group, key, PARKED, time);
    }

    private interface Parameters {
        void set(PreparedStatement statement) throws SQLException;
    }

    private int update(String sql, Parameters parameters) {
        return session.call(() -> {
            PreparedStatement statement = session.prepare(sql);
            parameters.set(statement);
            return statement.executeUpdate();
        });
    }

    private static List<Delivery> deliveries(String subscriber, PreparedStatement statement) throws SQLException {
        List<Delivery> deliveries = new ArrayList<>();
        try (ResultSet result = statement.executeQuery()) {
            while (result.next()) {
                deliveries.add(new Delivery(
                        result.getLong(1),
                        subscriber,
                        new RowKey(SqliteReads.text(result, 2), SqliteReads.text(result, 3)),
                        result.getLong(4),
                        result.getLong(5),
                        result.getInt(6),
                        result.getLong(7),
                        textOrNull(result, 8)));
            }
        }
        return deliveries;
    }

    private static long timeOrNever(ResultSet result, int column) throws SQLException {
        long time = result.getLong(column);
        return result.wasNull() ? Row.NEVER : time;
    }

    private static @Nullable String textOrNull(ResultSet result, int column) throws SQLException {
        return result.getBytes(column) == null ? null : SqliteReads.text(result, column);
    }
}
