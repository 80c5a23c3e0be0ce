package dev.ttlstore.benchmark.peer;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;
import org.sqlite.SQLiteConfig;

/**
 * The plainest design, as people write it by hand: one table without an index of expiries, and one connection that every
 * call has to itself. Calls commit on their own, and statements are prepared once.
 */
final class PlainSqlite implements TablePeer {

    private static final String TABLE = """
            CREATE TABLE kv (
                grp        TEXT NOT NULL,
                key        TEXT NOT NULL,
                value      BLOB NOT NULL,
                expires_at INTEGER,
                PRIMARY KEY (grp, key)
            )
            """;

    private static final String PUT = """
            INSERT INTO kv (grp, key, value, expires_at)
            VALUES (?, ?, ?, ?)
                ON CONFLICT (grp, key) DO UPDATE
               SET value = excluded.value, expires_at = excluded.expires_at
            """;

    private static final String GET = """
            SELECT value
              FROM kv
             WHERE grp = ? AND key = ? AND (expires_at IS NULL OR expires_at > ?)
            """;

    private static final String READ_ALL = """
            SELECT key, value
              FROM kv
             WHERE grp = ? AND (expires_at IS NULL OR expires_at > ?)
             ORDER BY key
            """;

    private static final String PAGE = """
            SELECT key, value
              FROM kv
             WHERE grp = ? AND key > ? AND (expires_at IS NULL OR expires_at > ?)
             ORDER BY key
             LIMIT ?
            """;

    private static final String COUNT = """
            SELECT count(*)
              FROM kv
             WHERE grp = ? AND (expires_at IS NULL OR expires_at > ?)
            """;

    private static final String USAGE = """
            SELECT count(*), coalesce(sum(length(value)), 0)
              FROM kv
             WHERE grp >= ? AND grp < ? AND (expires_at IS NULL OR expires_at > ?)
            """;

    private static final String RENEW = "UPDATE kv SET expires_at = ? WHERE grp = ? AND key = ?";

    private static final String RENEW_ALL = "UPDATE kv SET expires_at = ? WHERE grp = ?";

    private static final String PURGE = "DELETE FROM kv WHERE expires_at <= ?";

    private final InstantSource clock;
    private final Connection connection;
    private final Map<String, PreparedStatement> statements = new HashMap<>();

    PlainSqlite(Path folder, String synchronous, InstantSource clock) {
        this.clock = clock;
        SQLiteConfig config = new SQLiteConfig();
        config.setJournalMode(SQLiteConfig.JournalMode.WAL);
        config.setSynchronous(SQLiteConfig.SynchronousMode.valueOf(synchronous));
        try {
            this.connection = config.createConnection("jdbc:sqlite:" + folder.resolve("plain.db"));
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
        execute(TABLE);
    }

    /** What the groups of a range hold. */
    record Usage(long keys, long bytes) {}

    @Override
    public void load(Dataset data, PageTtl ttl) {
        for (Dataset.Page page : data.pages()) {
            inTransaction(() -> {
                for (int i = page.from(); i < page.to(); i++) {
                    put(page.group(), data.key(i), data.value(i), ttl.of(page));
                }
            });
        }
    }

    @Override
    public void put(String group, String key, byte[] value, Duration ttl) {
        execute(PUT, group, key, value, expiry(ttl));
    }

    @Override
    public void putTogether(List<Name> names, byte[] value, Duration ttl) {
        inTransaction(() -> names.forEach(name -> put(name.group(), name.key(), value, ttl)));
    }

    @Override
    public boolean renew(String group, String key, Duration ttl) {
        return execute(RENEW, expiry(ttl), group, key) == 1;
    }

    @Override
    public long renewAll(String group, Duration ttl) {
        return execute(RENEW_ALL, expiry(ttl), group);
    }

    @Override
    public long renewAll(String group, Collection<String> keys, Duration ttl) {
        long[] renewed = new long[1];
        inTransaction(() -> keys.forEach(key -> renewed[0] += execute(RENEW, expiry(ttl), group, key)));
        return renewed[0];
    }

    @Override
    public long purge() {
        return execute(PURGE, clock.millis());
    }

    @Override
    public synchronized byte @Nullable [] get(String group, String key) {
        try (ResultSet result = prepare(GET, group, key, clock.millis()).executeQuery()) {
            return result.next() ? result.getBytes(1) : null;
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public Map<String, byte[]> readAll(String group) {
        return read(READ_ALL, group, clock.millis());
    }

    @Override
    public Map<String, byte[]> page(String group, String afterKey, int limit) {
        return read(PAGE, group, afterKey, clock.millis(), limit);
    }

    @Override
    public synchronized long count(String group) {
        try (ResultSet result = prepare(COUNT, group, clock.millis()).executeQuery()) {
            result.next();
            return result.getLong(1);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Counts the groups from one name to another. */
    synchronized Usage usage(String from, String to) {
        try (ResultSet result = prepare(USAGE, from, to, clock.millis()).executeQuery()) {
            result.next();
            return new Usage(result.getLong(1), result.getLong(2));
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Runs several calls in one transaction. */
    synchronized void inTransaction(Runnable calls) {
        try {
            connection.setAutoCommit(false);
            calls.run();
            connection.commit();
            connection.setAutoCommit(true);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private long expiry(Duration ttl) {
        return clock.millis() + ttl.toMillis();
    }

    private synchronized Map<String, byte[]> read(String sql, Object... arguments) {
        Map<String, byte[]> entries = new LinkedHashMap<>();
        try (ResultSet result = prepare(sql, arguments).executeQuery()) {
            while (result.next()) {
                entries.put(result.getString(1), result.getBytes(2));
            }
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
        return entries;
    }

    private synchronized int execute(String sql, Object... arguments) {
        try {
            return prepare(sql, arguments).executeUpdate();
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private PreparedStatement prepare(String sql, Object... arguments) throws SQLException {
        PreparedStatement statement = statements.get(sql);
        if (statement == null) {
            statement = connection.prepareStatement(sql);
            statements.put(sql, statement);
        }
        for (int i = 0; i < arguments.length; i++) {
            statement.setObject(i + 1, arguments[i]);
        }
        return statement;
    }

    @Override
    public synchronized void close() {
        try {
            connection.close();
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }
}
