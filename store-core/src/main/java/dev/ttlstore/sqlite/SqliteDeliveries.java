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

/** The statements about subscribers and their deliveries, on one session. The time of a dead letter's next try is null. */
final class SqliteDeliveries implements DeliveryReads, DeliveryWrites {

    private static final String SUBSCRIBERS = "SELECT name, groups_from, groups_to FROM subscriber ORDER BY name";

    private static final String COLUMNS =
            "id, grp, key, value, version, expires_at, attempts, ifnull(next_at, " + Row.NEVER + "), error";

    static final String DUE = """
            SELECT %s
              FROM delivery AS d
             WHERE subscriber = ?1 AND next_at <= ?2
               AND NOT EXISTS (SELECT 1 FROM delivery AS earlier
                                WHERE earlier.subscriber = ?1 AND earlier.grp = d.grp AND earlier.key = d.key
                                  AND earlier.id < d.id AND earlier.next_at IS NOT NULL)
             ORDER BY next_at, id
             LIMIT ?3
            """.formatted(COLUMNS);

    static final String NEXT_AFTER = "SELECT min(next_at) FROM delivery WHERE subscriber = ? AND next_at > ?";

    static final String DEAD = """
            SELECT %s
              FROM delivery
             WHERE subscriber = ? AND id > ? AND next_at IS NULL
             ORDER BY id
             LIMIT ?
            """.formatted(COLUMNS);

    static final String BACKLOG = """
            SELECT (SELECT count(*) FROM delivery WHERE subscriber = ?1 AND next_at IS NOT NULL),
                   (SELECT min(expires_at) FROM delivery WHERE subscriber = ?1 AND next_at IS NOT NULL),
                   (SELECT count(*) FROM delivery WHERE subscriber = ?1 AND next_at IS NULL)
            """;

    private static final String ADD = """
            INSERT INTO subscriber (name, groups_from, groups_to) VALUES (?, ?, ?)
            ON CONFLICT (name) DO UPDATE SET groups_from = excluded.groups_from, groups_to = excluded.groups_to
            """;

    private static final String REMOVE = "DELETE FROM subscriber WHERE name = ?";

    private static final String REMOVE_DELIVERIES = """
            DELETE FROM delivery WHERE id IN (SELECT id FROM delivery WHERE subscriber = ? LIMIT ?)
            """;

    private static final String RECORD = """
            INSERT INTO delivery (subscriber, grp, key, value, version, expires_at, attempts, next_at)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, 0, ?6)
            """;

    private static final String ACKNOWLEDGE = "DELETE FROM delivery WHERE id = ?";

    private static final String UPDATE = "UPDATE delivery SET attempts = ?, next_at = ?, error = ? WHERE id = ?";

    private static final String RETRY = """
            UPDATE delivery SET attempts = 0, next_at = ?1 WHERE subscriber = ?2 AND next_at IS NULL AND (?3 = 0 OR id = ?3)
            """;

    private static final String DISCARD =
            "DELETE FROM delivery WHERE subscriber = ?1 AND next_at IS NULL AND (?2 = 0 OR id = ?2)";

    static final String TRIM = """
            DELETE FROM delivery
             WHERE id IN (SELECT id FROM delivery
                           WHERE subscriber = ?1 AND next_at IS NOT NULL
                           ORDER BY next_at DESC, id DESC
                           LIMIT -1 OFFSET ?2)
            """;

    private final SqliteSession session;

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
        update(REMOVE, statement -> statement.setString(1, subscriber));
        return removed < limit;
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
    public void acknowledge(Collection<Long> ids) {
        for (long id : ids) {
            update(ACKNOWLEDGE, statement -> statement.setLong(1, id));
        }
    }

    @Override
    public void update(Collection<DeliveryUpdate> updates) {
        for (DeliveryUpdate changed : updates) {
            update(UPDATE, statement -> {
                statement.setInt(1, changed.attempts());
                if (changed.nextAt() == Row.NEVER) {
                    statement.setNull(2, Types.INTEGER);
                } else {
                    statement.setLong(2, changed.nextAt());
                }
                statement.setString(3, changed.error());
                statement.setLong(4, changed.id());
            });
        }
    }

    @Override
    public int retry(String subscriber, long id, long now) {
        return update(RETRY, statement -> {
            statement.setLong(1, now);
            statement.setString(2, subscriber);
            statement.setLong(3, id);
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
    public int trim(String subscriber, int keep) {
        return update(TRIM, statement -> {
            statement.setString(1, subscriber);
            statement.setInt(2, keep);
        });
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
                        SqliteReads.bytes(result, 4),
                        result.getLong(5),
                        result.getLong(6),
                        result.getInt(7),
                        result.getLong(8),
                        textOrNull(result, 9)));
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
