package dev.ttlstore.benchmark.peer;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

import org.jspecify.annotations.Nullable;
import org.sqlite.SQLiteConfig;

/**
 * SQLite by hand, with TTL Store's table and index: what its layers cost is the difference. Statements are prepared once;
 * there is one connection that writes, and one for each thread that reads.
 */
public final class RawSqlite implements TablePeer {

    private static final String TABLE = """
            CREATE TABLE entry (
                grp        TEXT    NOT NULL,
                key        TEXT    NOT NULL,
                value      BLOB    NOT NULL,
                version    INTEGER NOT NULL,
                created_at INTEGER NOT NULL,
                updated_at INTEGER NOT NULL,
                expires_at INTEGER,
                PRIMARY KEY (grp, key)
            ) STRICT, WITHOUT ROWID
            """;

    private static final String INDEX = "CREATE INDEX entry_expiry ON entry (expires_at) WHERE expires_at IS NOT NULL";

    private static final String PUT = """
            INSERT INTO entry (grp, key, value, version, created_at, updated_at, expires_at)
            VALUES (?, ?, ?, ?, ?, ?, ?)
                ON CONFLICT (grp, key) DO UPDATE
               SET value = excluded.value, version = excluded.version, created_at = excluded.created_at,
                   updated_at = excluded.updated_at, expires_at = excluded.expires_at
            """;

    private static final String RENEW = "UPDATE entry SET expires_at = ? WHERE grp = ? AND key = ?";

    private static final String PURGE = "DELETE FROM entry WHERE expires_at <= ?";

    private final String url;
    private final String synchronous;
    private final InstantSource clock;
    private final Object writing = new Object();
    private final Connection writer;
    private final PreparedStatement put;
    private final PreparedStatement renew;
    private final PreparedStatement purge;
    private final Queue<RawSqliteReader> open = new ConcurrentLinkedQueue<>();
    private final ThreadLocal<RawSqliteReader> reader = ThreadLocal.withInitial(this::newReader);
    private long version;

    RawSqlite(Path folder, String synchronous, InstantSource clock) {
        this.url = "jdbc:sqlite:" + folder.resolve("raw.db");
        this.synchronous = synchronous;
        this.clock = clock;
        try {
            this.writer = connect();
            execute(TABLE);
            execute(INDEX);
            this.put = writer.prepareStatement(PUT);
            this.renew = writer.prepareStatement(RENEW);
            this.purge = writer.prepareStatement(PURGE);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private Connection connect() throws SQLException {
        SQLiteConfig config = new SQLiteConfig();
        config.setJournalMode(SQLiteConfig.JournalMode.WAL);
        config.setSynchronous(SQLiteConfig.SynchronousMode.valueOf(synchronous));
        return config.createConnection(url);
    }

    private RawSqliteReader newReader() {
        try {
            RawSqliteReader made = new RawSqliteReader(connect());
            open.add(made);
            return made;
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private void execute(String sql) throws SQLException {
        try (Statement statement = writer.createStatement()) {
            statement.executeUpdate(sql);
        }
    }

    @Override
    public void load(Dataset data, PageTtl ttl) {
        for (Dataset.Page page : data.pages()) {
            inTransaction(() -> {
                long expiresAt = clock.millis() + ttl.of(page).toMillis();
                for (int i = page.from(); i < page.to(); i++) {
                    upsert(page.group(), data.key(i), data.value(i), expiresAt);
                }
            });
        }
    }

    @Override
    public void put(String group, String key, byte[] value, Duration ttl) {
        write(() -> upsert(group, key, value, clock.millis() + ttl.toMillis()));
    }

    @Override
    public void putTogether(List<Name> names, byte[] value, Duration ttl) {
        inTransaction(() -> {
            long expiresAt = clock.millis() + ttl.toMillis();
            for (Name name : names) {
                upsert(name.group(), name.key(), value, expiresAt);
            }
        });
    }

    private void upsert(String group, String key, byte[] value, long expiresAt) throws SQLException {
        long now = clock.millis();
        put.setString(1, group);
        put.setString(2, key);
        put.setBytes(3, value);
        put.setLong(4, ++version);
        put.setLong(5, now);
        put.setLong(6, now);
        put.setLong(7, expiresAt);
        put.executeUpdate();
    }

    @Override
    public boolean renew(String group, String key, Duration ttl) {
        int[] changed = new int[1];
        write(() -> {
            renew.setLong(1, clock.millis() + ttl.toMillis());
            renew.setString(2, group);
            renew.setString(3, key);
            changed[0] = renew.executeUpdate();
        });
        return changed[0] == 1;
    }

    @Override
    public long purge() {
        long[] removed = new long[1];
        write(() -> {
            purge.setLong(1, clock.millis());
            removed[0] = purge.executeUpdate();
        });
        return removed[0];
    }

    @Override
    public byte @Nullable [] get(String group, String key) {
        try {
            return reader.get().get(group, key, clock.millis());
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public Map<String, byte[]> readAll(String group) {
        try {
            return reader.get().readAll(group, clock.millis());
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private interface Work {
        void run() throws SQLException;
    }

    private void write(Work work) {
        synchronized (writing) {
            try {
                work.run();
            } catch (SQLException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    private void inTransaction(Work work) {
        write(() -> {
            writer.setAutoCommit(false);
            work.run();
            writer.commit();
            writer.setAutoCommit(true);
        });
    }

    @Override
    public void close() {
        write(() -> {
            for (RawSqliteReader made : open) {
                made.close();
            }
            writer.close();
        });
    }
}
