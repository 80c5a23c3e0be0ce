package dev.ttlstore.benchmark.peer;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

import org.jspecify.annotations.Nullable;
import org.sqlite.SQLiteConfig;

/**
 * SQLite by hand, with a table of TTL Store's columns in the order of the names, and an index of expiries. Statements are prepared once;
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

    private static final String AGE_INDEX = "CREATE INDEX entry_age ON entry (grp, created_at)";

    private static final String PUT = """
            INSERT INTO entry (grp, key, value, version, created_at, updated_at, expires_at)
            VALUES (?, ?, ?, ?, ?, ?, ?)
                ON CONFLICT (grp, key) DO UPDATE
               SET value = excluded.value, version = excluded.version, created_at = excluded.created_at,
                   updated_at = excluded.updated_at, expires_at = excluded.expires_at
            """;

    static final String RENEW = "UPDATE entry SET expires_at = ? WHERE grp = ? AND key = ?";

    static final String TAKE = """
            DELETE FROM entry WHERE grp = ? AND key = ? AND (expires_at IS NULL OR expires_at > ?) RETURNING value
            """;

    static final String RENEW_ALL = "UPDATE entry SET expires_at = ? WHERE grp = ?";

    private static final String SWEEP = "DELETE FROM entry WHERE grp = ? AND created_at <= ?";

    static final String PURGE = "DELETE FROM entry WHERE expires_at <= ?";

    private static final String PURGE_CHUNK = """
            DELETE FROM entry
             WHERE (grp, key) IN (SELECT grp, key FROM entry WHERE expires_at <= ? ORDER BY expires_at LIMIT %d)
            """.formatted(CHUNK);

    private final String url;
    private final String synchronous;
    private final InstantSource clock;
    private final Object writing = new Object();
    private final Connection writer;
    private final PreparedStatement put;
    private final PreparedStatement renew;
    private final PreparedStatement take;
    private final PreparedStatement renewAll;
    private final PreparedStatement sweep;
    private final PreparedStatement purge;
    private final PreparedStatement purgeChunk;
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
            this.take = writer.prepareStatement(TAKE);
            this.renewAll = writer.prepareStatement(RENEW_ALL);
            this.sweep = writer.prepareStatement(SWEEP);
            this.purge = writer.prepareStatement(PURGE);
            this.purgeChunk = writer.prepareStatement(PURGE_CHUNK);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Opens it in an empty folder, and adds an index of the entries' creation if asked to. */
    public static RawSqlite open(Path folder, InstantSource clock, boolean ageIndex) {
        RawSqlite opened = new RawSqlite(folder, "NORMAL", clock);
        if (ageIndex) {
            int unused = opened.write(() -> opened.execute(AGE_INDEX));
        }
        return opened;
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

    private int execute(String sql) throws SQLException {
        try (Statement statement = writer.createStatement()) {
            return statement.executeUpdate(sql);
        }
    }

    @Override
    public void load(Dataset data, PageTtl ttl) {
        for (Dataset.Page page : data.pages()) {
            int unused = inTransaction(() -> {
                int put = 0;
                long expiresAt = clock.millis() + ttl.of(page).toMillis();
                for (int i = page.from(); i < page.to(); i++) {
                    put += upsert(page.group(), data.key(i), data.value(i), expiresAt);
                }
                return put;
            });
        }
    }

    @Override
    public void put(String group, String key, byte[] value, Duration ttl) {
        int unused = write(() -> upsert(group, key, value, clock.millis() + ttl.toMillis()));
    }

    @Override
    public void putTogether(List<Name> names, byte[] value, Duration ttl) {
        int unused = inTransaction(() -> {
            int put = 0;
            long expiresAt = clock.millis() + ttl.toMillis();
            for (Name name : names) {
                put += upsert(name.group(), name.key(), value, expiresAt);
            }
            return put;
        });
    }

    private int upsert(String group, String key, byte[] value, long expiresAt) throws SQLException {
        long now = clock.millis();
        put.setString(1, group);
        put.setString(2, key);
        put.setBytes(3, value);
        put.setLong(4, ++version);
        put.setLong(5, now);
        put.setLong(6, now);
        put.setLong(7, expiresAt);
        return put.executeUpdate();
    }

    @Override
    public boolean renew(String group, String key, Duration ttl) {
        return write(() -> update(group, key, clock.millis() + ttl.toMillis())) == 1;
    }

    private int update(String group, String key, long expiresAt) throws SQLException {
        renew.setLong(1, expiresAt);
        renew.setString(2, group);
        renew.setString(3, key);
        return renew.executeUpdate();
    }

    @Override
    public byte @Nullable [] take(String group, String key) {
        return write(() -> {
                    take.setString(1, group);
                    take.setString(2, key);
                    take.setLong(3, clock.millis());
                    return Optional.ofNullable(RawSqliteReader.onlyValue(take));
                })
                .orElse(null);
    }

    @Override
    public long renewAll(String group, Duration ttl) {
        return write(() -> {
            renewAll.setLong(1, clock.millis() + ttl.toMillis());
            renewAll.setString(2, group);
            return renewAll.executeUpdate();
        });
    }

    @Override
    public long renewAll(String group, Collection<String> keys, Duration ttl) {
        return inTransaction(() -> {
            int changed = 0;
            long expiresAt = clock.millis() + ttl.toMillis();
            for (String key : keys) {
                changed += update(group, key, expiresAt);
            }
            return changed;
        });
    }

    /** Removes the entries of a group that are at least so old, and says how many there were. */
    public long sweep(String group, Duration maxAge) {
        return write(() -> {
            sweep.setString(1, group);
            sweep.setLong(2, clock.millis() - maxAge.toMillis());
            return sweep.executeUpdate();
        });
    }

    @Override
    public long purge() {
        return write(() -> {
            purge.setLong(1, clock.millis());
            return purge.executeUpdate();
        });
    }

    @Override
    public long purgeInChunks() {
        return TablePeer.inChunks(this::removeChunk);
    }

    private int removeChunk() {
        return write(() -> {
            purgeChunk.setLong(1, clock.millis());
            return purgeChunk.executeUpdate();
        });
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

    @Override
    public Map<String, byte[]> page(String group, String afterKey, int limit) {
        try {
            return reader.get().page(group, afterKey, limit, clock.millis());
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public long count(String group) {
        try {
            return reader.get().count(group, clock.millis());
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private interface Work<T> {
        T run() throws SQLException;
    }

    private <T> T write(Work<T> work) {
        synchronized (writing) {
            try {
                return work.run();
            } catch (SQLException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    private int inTransaction(Work<Integer> work) {
        return write(() -> {
            writer.setAutoCommit(false);
            int changed = work.run();
            writer.commit();
            writer.setAutoCommit(true);
            return changed;
        });
    }

    @Override
    public void close() {
        synchronized (writing) {
            try {
                for (RawSqliteReader made : open) {
                    made.close();
                }
                writer.close();
            } catch (SQLException e) {
                throw new IllegalStateException(e);
            }
        }
    }
}
