package dev.ttlstore.sqlite;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import dev.ttlstore.engine.EngineTransaction;
import dev.ttlstore.engine.ExpiredRow;
import dev.ttlstore.engine.Mark;
import dev.ttlstore.engine.Row;
import dev.ttlstore.engine.RowChange;
import dev.ttlstore.engine.RowKey;

/** The writing statements. The session is in a transaction already. */
final class SqliteTransaction implements EngineTransaction {

    private static final String PUT = """
            INSERT INTO entry (grp, key, value, version, created_at, updated_at, expires_at)
            VALUES (?, ?, ?, ?, ?, ?, ?)
                ON CONFLICT (grp, key) DO UPDATE
               SET value = excluded.value, version = excluded.version, created_at = excluded.created_at,
                   updated_at = excluded.updated_at, expires_at = excluded.expires_at
            """;

    private static final String RESCHEDULE = "UPDATE entry SET expires_at = ? WHERE grp = ? AND key = ?";

    private static final String REMOVE = "DELETE FROM entry WHERE grp = ? AND key = ?";

    static final String REMOVE_EXPIRED = """
            DELETE FROM entry
             WHERE (grp, key) IN (SELECT grp, key FROM entry WHERE expires_at <= ? ORDER BY expires_at LIMIT ?)
            RETURNING grp, key, version, expires_at
            """;

    private static final String REMOVE_EXPIRED_OF_GROUP = """
            DELETE FROM entry
             WHERE grp = ? AND expires_at <= ?
            RETURNING grp, key, version, expires_at
            """;

    static final String REMOVE_GROUP = "DELETE FROM entry WHERE grp = ?";

    private static final String SAVE = "UPDATE mark SET sequence = ?, time = ?";

    private final SqliteSession session;

    SqliteTransaction(SqliteSession session) {
        this.session = session;
    }

    @Override
    public Map<RowKey, Row> load(Collection<RowKey> keys) {
        return session.call(() -> {
            Map<RowKey, Row> rows = new HashMap<>();
            for (RowKey key : keys) {
                Row row = SqliteReads.read(session, key);
                if (row != null) {
                    rows.put(key, row);
                }
            }
            return rows;
        });
    }

    @Override
    public void store(Collection<RowChange> changes) {
        session.call(() -> {
            for (RowChange change : changes) {
                store(change);
            }
            return true;
        });
    }

    private void store(RowChange change) throws SQLException {
        Row before = change.before();
        Row after = change.after();
        if (after == null) {
            if (before != null) {
                remove(before.key());
            }
        } else if (before != null && before.value() == after.value() && before.version() == after.version()) {
            reschedule(after);
        } else {
            put(after);
        }
    }

    private void put(Row row) throws SQLException {
        PreparedStatement statement = session.prepare(PUT);
        statement.setString(1, row.key().group());
        statement.setString(2, row.key().key());
        statement.setBytes(3, row.value());
        statement.setLong(4, row.version());
        statement.setLong(5, row.createdAt());
        statement.setLong(6, row.updatedAt());
        setExpiry(statement, 7, row.expiresAt());
        statement.executeUpdate();
    }

    private void reschedule(Row row) throws SQLException {
        PreparedStatement statement = session.prepare(RESCHEDULE);
        setExpiry(statement, 1, row.expiresAt());
        statement.setString(2, row.key().group());
        statement.setString(3, row.key().key());
        statement.executeUpdate();
    }

    private void remove(RowKey key) throws SQLException {
        PreparedStatement statement = session.prepare(REMOVE);
        statement.setString(1, key.group());
        statement.setString(2, key.key());
        statement.executeUpdate();
    }

    @Override
    public List<ExpiredRow> removeExpired(long now, int limit) {
        return session.call(() -> {
            PreparedStatement statement = session.prepare(REMOVE_EXPIRED);
            statement.setLong(1, now);
            statement.setInt(2, limit);
            return expired(statement);
        });
    }

    @Override
    public List<ExpiredRow> removeExpired(String group, long now) {
        return session.call(() -> {
            PreparedStatement statement = session.prepare(REMOVE_EXPIRED_OF_GROUP);
            statement.setString(1, group);
            statement.setLong(2, now);
            return expired(statement);
        });
    }

    /** SQLite returns deleted rows in an order of its own. */
    private static List<ExpiredRow> expired(PreparedStatement statement) throws SQLException {
        List<ExpiredRow> rows = new ArrayList<>();
        try (ResultSet result = statement.executeQuery()) {
            while (result.next()) {
                RowKey key = new RowKey(result.getString(1), result.getString(2));
                rows.add(new ExpiredRow(key, result.getLong(3), result.getLong(4)));
            }
        }
        rows.sort(Comparator.comparingLong(ExpiredRow::expiresAt));
        return rows;
    }

    @Override
    public long removeGroup(String group) {
        return session.call(() -> {
            PreparedStatement statement = session.prepare(REMOVE_GROUP);
            statement.setString(1, group);
            return (long) statement.executeUpdate();
        });
    }

    @Override
    public void save(Mark mark) {
        session.call(() -> {
            PreparedStatement statement = session.prepare(SAVE);
            statement.setLong(1, mark.sequence());
            statement.setLong(2, mark.time());
            return statement.executeUpdate();
        });
    }

    private static void setExpiry(PreparedStatement statement, int index, long expiresAt) throws SQLException {
        if (expiresAt == Row.NEVER) {
            statement.setNull(index, Types.INTEGER);
        } else {
            statement.setLong(index, expiresAt);
        }
    }
}
