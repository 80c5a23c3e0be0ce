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
            CREATE TABLE entry (
                grp        TEXT NOT NULL,
                key        TEXT NOT NULL,
                value      BLOB NOT NULL,
                expires_at INTEGER,
                PRIMARY KEY (grp, key)
            )
            """;

    private static final String PUT = """
            INSERT INTO entry (grp, key, value, expires_at)
            VALUES (?, ?, ?, ?)
                ON CONFLICT (grp, key) DO UPDATE
               SET value = excluded.value, expires_at = excluded.expires_at
            """;

    private static final String USAGE = """
            SELECT count(*), coalesce(sum(length(value)), 0)
              FROM entry
             WHERE grp >= ? AND grp < ? AND (expires_at IS NULL OR expires_at > ?)
            """;

    private static final String PURGE_CHUNK = """
            DELETE FROM entry WHERE rowid IN (SELECT rowid FROM entry WHERE expires_at <= ? LIMIT %d)
            """.formatted(CHUNK);

    private final InstantSource clock;
    private final Connection connection;
    private final RawSqliteReader reader;
    private final Map<String, PreparedStatement> statements = new HashMap<>();

    PlainSqlite(Path folder, String synchronous, InstantSource clock) {
        this.clock = clock;
        SQLiteConfig config = new SQLiteConfig();
        config.setJournalMode(SQLiteConfig.JournalMode.WAL);
        config.setSynchronous(SQLiteConfig.SynchronousMode.valueOf(synchronous));
        try {
            this.connection = config.createConnection("jdbc:sqlite:" + folder.resolve("plain.db"));
            execute(TABLE);
            this.reader = new RawSqliteReader(connection);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
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
        return execute(RawSqlite.RENEW, expiry(ttl), group, key) == 1;
    }

    @Override
    public synchronized byte @Nullable [] take(String group, String key) {
        try {
            return RawSqliteReader.onlyValue(prepare(RawSqlite.TAKE, group, key, clock.millis()));
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public long renewAll(String group, Duration ttl) {
        return execute(RawSqlite.RENEW_ALL, expiry(ttl), group);
    }

    @Override
    public long renewAll(String group, Collection<String> keys, Duration ttl) {
        long[] renewed = new long[1];
        inTransaction(() -> keys.forEach(key -> renewed[0] += execute(RawSqlite.RENEW, expiry(ttl), group, key)));
        return renewed[0];
    }

    @Override
    public long purge() {
        return execute(RawSqlite.PURGE, clock.millis());
    }

    @Override
    public long purgeInChunks() {
        return TablePeer.inChunks(() -> execute(PURGE_CHUNK, clock.millis()));
    }

    @Override
    public synchronized byte @Nullable [] get(String group, String key) {
        try {
            return reader.get(group, key, clock.millis());
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public synchronized Map<String, byte[]> readAll(String group) {
        try {
            return reader.readAll(group, clock.millis());
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public synchronized Map<String, byte[]> page(String group, String afterKey, int limit) {
        try {
            return reader.page(group, afterKey, limit, clock.millis());
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public synchronized long count(String group) {
        try {
            return reader.count(group, clock.millis());
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
            reader.close();
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }
}
