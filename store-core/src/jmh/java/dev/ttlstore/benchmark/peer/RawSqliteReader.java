package dev.ttlstore.benchmark.peer;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/** The reads of a connection. Both tables by hand have the columns that it needs. */
final class RawSqliteReader {

    private static final String GET = """
            SELECT value
              FROM entry
             WHERE grp = ? AND key = ? AND (expires_at IS NULL OR expires_at > ?)
            """;

    private static final String READ_ALL = """
            SELECT key, value
              FROM entry
             WHERE grp = ? AND (expires_at IS NULL OR expires_at > ?)
             ORDER BY key
            """;

    private static final String PAGE = """
            SELECT key, value
              FROM entry
             WHERE grp = ? AND key > ? AND (expires_at IS NULL OR expires_at > ?)
             ORDER BY key
             LIMIT ?
            """;

    private static final String COUNT = """
            SELECT count(*)
              FROM entry
             WHERE grp = ? AND (expires_at IS NULL OR expires_at > ?)
            """;

    private final Connection connection;
    private final PreparedStatement get;
    private final PreparedStatement readAll;
    private final PreparedStatement page;
    private final PreparedStatement count;

    RawSqliteReader(Connection connection) throws SQLException {
        this.connection = connection;
        this.get = connection.prepareStatement(GET);
        this.readAll = connection.prepareStatement(READ_ALL);
        this.page = connection.prepareStatement(PAGE);
        this.count = connection.prepareStatement(COUNT);
    }

    byte @Nullable [] get(String group, String key, long now) throws SQLException {
        get.setString(1, group);
        get.setString(2, key);
        get.setLong(3, now);
        return onlyValue(get);
    }

    /** The value that a statement returns; null if it returns no row. */
    static byte @Nullable [] onlyValue(PreparedStatement statement) throws SQLException {
        try (ResultSet result = statement.executeQuery()) {
            return result.next() ? result.getBytes(1) : null;
        }
    }

    Map<String, byte[]> readAll(String group, long now) throws SQLException {
        readAll.setString(1, group);
        readAll.setLong(2, now);
        return read(readAll);
    }

    Map<String, byte[]> page(String group, String afterKey, int limit, long now) throws SQLException {
        page.setString(1, group);
        page.setString(2, afterKey);
        page.setLong(3, now);
        page.setInt(4, limit);
        return read(page);
    }

    private static Map<String, byte[]> read(PreparedStatement statement) throws SQLException {
        Map<String, byte[]> entries = new LinkedHashMap<>();
        try (ResultSet result = statement.executeQuery()) {
            while (result.next()) {
                entries.put(result.getString(1), result.getBytes(2));
            }
        }
        return entries;
    }

    long count(String group, long now) throws SQLException {
        count.setString(1, group);
        count.setLong(2, now);
        try (ResultSet result = count.executeQuery()) {
            result.next();
            return result.getLong(1);
        }
    }

    void close() throws SQLException {
        get.close();
        readAll.close();
        page.close();
        count.close();
        connection.close();
    }
}
