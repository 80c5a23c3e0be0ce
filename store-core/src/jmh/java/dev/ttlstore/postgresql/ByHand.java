package dev.ttlstore.postgresql;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;

import javax.sql.DataSource;

import org.jspecify.annotations.Nullable;

/**
 * What an application writes with plain JDBC for the same: one statement per call, on a connection of the pool, with expiry by the
 * server's clock and a version that counts up. The table has an index of expiries, for whoever removes expired rows.
 */
final class ByHand {

    static final String[] TABLES = {
        "CREATE SCHEMA hand",
        """
        CREATE TABLE hand.entry (
            grp        text COLLATE "C" NOT NULL,
            key        text COLLATE "C" NOT NULL,
            version    bigint NOT NULL,
            created_at timestamptz NOT NULL,
            updated_at timestamptz NOT NULL,
            expires_at timestamptz,
            value      bytea NOT NULL,
            PRIMARY KEY (grp, key))
        """,
        "CREATE INDEX entry_expiry ON hand.entry (expires_at) WHERE expires_at IS NOT NULL",
        """
        CREATE TABLE hand.counter (
            grp        text COLLATE "C" NOT NULL,
            key        text COLLATE "C" NOT NULL,
            version    bigint NOT NULL,
            expires_at timestamptz,
            number     bigint NOT NULL,
            PRIMARY KEY (grp, key))
        """,
        "CREATE INDEX counter_expiry ON hand.counter (expires_at) WHERE expires_at IS NOT NULL"
    };

    private static final String LIVE = "(e.expires_at IS NULL OR e.expires_at > clock_timestamp())";

    private static final String GET = "SELECT e.value FROM hand.entry e WHERE e.grp = ? AND e.key = ? AND " + LIVE;

    private static final String INSERT = """
            INSERT INTO hand.entry AS e (grp, key, version, created_at, updated_at, expires_at, value)
            VALUES (?, ?, 1, clock_timestamp(), clock_timestamp(), clock_timestamp() + ? * interval '1 millisecond', ?)
                ON CONFLICT (grp, key) DO UPDATE
               SET version = e.version + 1, updated_at = excluded.updated_at, expires_at = excluded.expires_at,
                   value = excluded.value,
            """;

    private static final String PUT =
            INSERT + " created_at = CASE WHEN " + LIVE + " THEN e.created_at ELSE excluded.created_at END";

    private static final String PUT_IF_ABSENT = INSERT + " created_at = excluded.created_at WHERE NOT " + LIVE;

    private static final String REPLACE = """
            UPDATE hand.entry e
               SET version = e.version + 1, updated_at = clock_timestamp(),
                   expires_at = clock_timestamp() + ? * interval '1 millisecond', value = ?
             WHERE e.grp = ? AND e.key = ? AND e.value = ? AND\s""" + LIVE;

    private static final String INCREMENT = """
            INSERT INTO hand.counter AS e (grp, key, version, expires_at, number)
            VALUES (?, ?, 1, clock_timestamp() + ? * interval '1 millisecond', 1)
                ON CONFLICT (grp, key) DO UPDATE
               SET version = e.version + 1, number = CASE WHEN %1$s THEN e.number + 1 ELSE 1 END,
                   expires_at = CASE WHEN %1$s THEN e.expires_at ELSE excluded.expires_at END
            RETURNING number
            """.formatted(LIVE);

    private static final String RENEW = """
            UPDATE hand.entry e SET expires_at = clock_timestamp() + ? * interval '1 millisecond'
             WHERE e.grp = ? AND e.key = ? AND\s""" + LIVE;

    private static final String TAKE =
            "DELETE FROM hand.entry e WHERE e.grp = ? AND e.key = ? AND " + LIVE + " RETURNING e.value";

    private static final String FILL = """
            INSERT INTO hand.entry (grp, key, version, created_at, updated_at, expires_at, value)
            SELECT e.grp, e.key, 1, now(), now(), to_timestamp(e.expires_at / 1000.0), e.value
              FROM ttl_store.entry e
             WHERE e.grp NOT LIKE 'n-%'
            """;

    private final DataSource pool;

    ByHand(DataSource pool) {
        this.pool = pool;
    }

    /** Copies the store's entries, so that both have the same. */
    void fill() throws SQLException {
        update(FILL);
        update("""
                INSERT INTO hand.counter (grp, key, version, expires_at, number)
                SELECT e.grp, e.key, 1, e.expires_at, 1 FROM hand.entry e
                """);
    }

    byte @Nullable [] get(String group, String key) throws SQLException {
        return bytes(GET, group, key);
    }

    byte @Nullable [] take(String group, String key) throws SQLException {
        return bytes(TAKE, group, key);
    }

    int put(String group, String key, byte[] value, long ttl) throws SQLException {
        return update(PUT, group, key, ttl, value);
    }

    int putIfAbsent(String group, String key, byte[] value, long ttl) throws SQLException {
        return update(PUT_IF_ABSENT, group, key, ttl, value);
    }

    int replace(String group, String key, byte[] expected, byte[] value, long ttl) throws SQLException {
        return update(REPLACE, ttl, value, group, key, expected);
    }

    int renew(String group, String key, long ttl) throws SQLException {
        return update(RENEW, ttl, group, key);
    }

    long increment(String group, String key, long ttl) throws SQLException {
        try (Connection connection = pool.getConnection();
                PreparedStatement statement = connection.prepareStatement(INCREMENT)) {
            bind(statement, group, key, ttl);
            try (ResultSet result = statement.executeQuery()) {
                result.next();
                return result.getLong(1);
            }
        }
    }

    private byte @Nullable [] bytes(String sql, Object... parameters) throws SQLException {
        try (Connection connection = pool.getConnection();
                PreparedStatement statement = connection.prepareStatement(sql)) {
            bind(statement, parameters);
            try (ResultSet result = statement.executeQuery()) {
                return result.next() ? result.getBytes(1) : null;
            }
        }
    }

    private int update(String sql, Object... parameters) throws SQLException {
        try (Connection connection = pool.getConnection();
                PreparedStatement statement = connection.prepareStatement(sql)) {
            bind(statement, parameters);
            return statement.executeUpdate();
        }
    }

    private static void bind(PreparedStatement statement, Object... parameters) throws SQLException {
        for (int i = 0; i < parameters.length; i++) {
            statement.setObject(i + 1, parameters[i]);
        }
    }
}
