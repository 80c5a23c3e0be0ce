package dev.ttlstore.sqlite;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.engine.Mark;
import dev.ttlstore.engine.Row;
import dev.ttlstore.engine.RowKey;
import dev.ttlstore.engine.Totals;

/** The reading statements. */
final class SqliteReads {

    static final String READ = """
            SELECT value, version, created_at, updated_at, expires_at
              FROM entry
             WHERE grp = ? AND key = ?
            """;

    static final String READ_GROUP = """
            SELECT value, version, created_at, updated_at, expires_at, key
              FROM entry
             WHERE grp = ? AND (expires_at IS NULL OR expires_at > ?)
             ORDER BY key
            """;

    static final String COUNT = """
            SELECT count(*)
              FROM entry
             WHERE grp = ? AND (expires_at IS NULL OR expires_at > ?)
            """;

    /** Both counts in one statement, so that they are of one moment. The second is answered from the expiry index. */
    static final String TOTALS = """
            SELECT (SELECT count(*) FROM entry),
                   (SELECT count(*) FROM entry WHERE expires_at <= ?)
            """;

    /** Steps from group to group by the primary key, rather than over every row of each. */
    static final String GROUPS = """
            WITH RECURSIVE name(grp) AS (
                SELECT min(grp) FROM entry WHERE grp > ?
                UNION ALL
                SELECT (SELECT min(grp) FROM entry WHERE grp > name.grp) FROM name WHERE name.grp IS NOT NULL
            )
            SELECT grp
              FROM name
             WHERE EXISTS (SELECT 1 FROM entry
                            WHERE entry.grp = name.grp AND (expires_at IS NULL OR expires_at > ?))
             LIMIT ?
            """;

    private static final String MARK = "SELECT sequence, time FROM mark";

    private SqliteReads() {}

    static @Nullable Row read(SqliteSession session, String group, String key) throws SQLException {
        return read(session, new RowKey(group, key));
    }

    static @Nullable Row read(SqliteSession session, RowKey key) throws SQLException {
        PreparedStatement statement = session.prepare(READ);
        statement.setString(1, key.group());
        statement.setString(2, key.key());
        try (ResultSet result = statement.executeQuery()) {
            return result.next() ? row(key, result) : null;
        }
    }

    static List<Row> readGroup(SqliteSession session, String group, long now) throws SQLException {
        PreparedStatement statement = session.prepare(READ_GROUP);
        statement.setString(1, group);
        statement.setLong(2, now);
        List<Row> rows = new ArrayList<>();
        try (ResultSet result = statement.executeQuery()) {
            while (result.next()) {
                rows.add(row(new RowKey(group, result.getString(6)), result));
            }
        }
        return rows;
    }

    static long count(SqliteSession session, String group, long now) throws SQLException {
        PreparedStatement statement = session.prepare(COUNT);
        statement.setString(1, group);
        statement.setLong(2, now);
        try (ResultSet result = statement.executeQuery()) {
            result.next();
            return result.getLong(1);
        }
    }

    static Totals totals(SqliteSession session, long now) throws SQLException {
        PreparedStatement statement = session.prepare(TOTALS);
        statement.setLong(1, now);
        try (ResultSet result = statement.executeQuery()) {
            result.next();
            long expired = result.getLong(2);
            return new Totals(result.getLong(1) - expired, expired);
        }
    }

    static List<String> groups(SqliteSession session, String after, long now, int limit) throws SQLException {
        PreparedStatement statement = session.prepare(GROUPS);
        statement.setString(1, after);
        statement.setLong(2, now);
        statement.setInt(3, limit);
        List<String> names = new ArrayList<>();
        try (ResultSet result = statement.executeQuery()) {
            while (result.next()) {
                names.add(result.getString(1));
            }
        }
        return names;
    }

    static Mark mark(SqliteSession session) throws SQLException {
        try (ResultSet result = session.prepare(MARK).executeQuery()) {
            result.next();
            return new Mark(result.getLong(1), result.getLong(2));
        }
    }

    /** Reads the columns value, version, created_at, updated_at, expires_at, in this order. */
    private static Row row(RowKey key, ResultSet result) throws SQLException {
        byte[] value = result.getBytes(1);
        return new Row(
                key,
                value == null ? new byte[0] : value, // the driver's way of reading an empty blob
                result.getLong(2),
                result.getLong(3),
                result.getLong(4),
                expiry(result, 5));
    }

    private static long expiry(ResultSet result, int column) throws SQLException {
        long expiresAt = result.getLong(column);
        return result.wasNull() ? Row.NEVER : expiresAt;
    }
}
