package dev.ttlstore.sqlite;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;

import dev.ttlstore.engine.EngineReads;
import dev.ttlstore.engine.EngineTransaction;
import dev.ttlstore.engine.ExpiryRow;
import dev.ttlstore.engine.GroupRange;
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

    private static final String EXPIRED_ROWS = """
            (SELECT grp, key FROM entry
              WHERE expires_at <= ? AND grp >= ? AND grp < ?
              ORDER BY expires_at, grp, key
              LIMIT ?)
            """;

    static final String REMOVE_EXPIRED = """
            DELETE FROM entry
             WHERE (grp, key) IN %s
            RETURNING grp, key, version, expires_at, octet_length(key) + octet_length(value)
            """.formatted(EXPIRED_ROWS);

    static final String RETAIN_EXPIRED = """
            INSERT OR REPLACE INTO retained (grp, key, value, version, created_at, updated_at, expires_at)
            SELECT grp, key, value, version, created_at, updated_at, expires_at
              FROM entry
             WHERE (grp, key) IN %s
            """.formatted(EXPIRED_ROWS);

    private static final String RETAIN = """
            INSERT OR REPLACE INTO retained (grp, key, value, version, created_at, updated_at, expires_at)
            VALUES (?, ?, ?, ?, ?, ?, ?)
            """;

    static final String FORGET = """
            DELETE FROM retained
             WHERE (expires_at, grp, key, version) IN
                   (SELECT expires_at, grp, key, version FROM retained
                     WHERE expires_at <= ? AND grp >= ? AND grp < ?
                     LIMIT ?)
            """;

    static final String REMOVE_GROUP = "DELETE FROM entry WHERE grp = ?";

    private static final String SAVE = "UPDATE mark SET sequence = ?, time = ?";

    private final SqliteSession session;

    SqliteTransaction(SqliteSession session) {
        this.session = session;
    }

    @Override
    public EngineReads reads() {
        return session.reads();
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
        write(session.prepare(PUT), row);
    }

    @Override
    public void retain(Collection<Row> rows) {
        session.call(() -> {
            for (Row row : rows) {
                write(session.prepare(RETAIN), row);
            }
            return true;
        });
    }

    private static void write(PreparedStatement statement, Row row) throws SQLException {
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
    public List<ExpiryRow> removeExpired(GroupRange groups, long now, int limit, boolean retain) {
        return session.call(() -> {
            if (retain) {
                PreparedStatement statement = session.prepare(RETAIN_EXPIRED);
                setExpired(statement, groups, now, limit);
                statement.executeUpdate();
            }
            PreparedStatement statement = session.prepare(REMOVE_EXPIRED);
            setExpired(statement, groups, now, limit);
            List<ExpiryRow> rows = new ArrayList<>();
            try (ResultSet result = statement.executeQuery()) {
                while (result.next()) {
                    rows.add(SqliteReads.expiryRow(result));
                }
            }
            rows.sort(Comparator.comparingLong(ExpiryRow::expiresAt)); // SQLite has an order of its own
            return rows;
        });
    }

    private static void setExpired(PreparedStatement statement, GroupRange groups, long now, int limit)
            throws SQLException {
        statement.setLong(1, now);
        SqliteReads.setRange(statement, 2, groups);
        statement.setInt(4, limit);
    }

    @Override
    public int forget(GroupRange groups, long until, int limit) {
        return session.call(() -> {
            PreparedStatement statement = session.prepare(FORGET);
            setExpired(statement, groups, until, limit);
            return statement.executeUpdate();
        });
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
