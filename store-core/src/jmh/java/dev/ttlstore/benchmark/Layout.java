package dev.ttlstore.benchmark;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.TimeUnit;

import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

import dev.ttlstore.benchmark.peer.Dataset;
import dev.ttlstore.benchmark.server.Folder;

/** Ways to lay rows out in SQLite, without the store: what a table, its indexes and its pages cost when it is written to. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Fork(1)
@Warmup(iterations = 1, time = 2)
@Measurement(iterations = 5, time = 2)
public class Layout {

    private static final int BATCH = 128;

    private static final long TTL_MILLIS = 3_600_000;

    /** Which table. */
    @Param
    public Kind kind;

    /** The bytes of a page. */
    @Param("4096")
    public int pageSize;

    /** Memory for pages, in MiB. */
    @Param("64")
    public int pageCache;

    /** Tables and their indexes. */
    public enum Kind {
        /** Ordered by the name, with an index of the expiry. */
        CLUSTERED("PRIMARY KEY (grp, key)) STRICT, WITHOUT ROWID", "", "expires_at"),
        /** In the order of arrival, with indexes of the name and the expiry. */
        ARRIVAL("id INTEGER PRIMARY KEY) STRICT", "grp, key", "expires_at, grp, key"),
        /** The same, with an index that a renewal leaves alone. */
        ARRIVAL_LATE("id INTEGER PRIMARY KEY) STRICT", "grp, key", "due_at, grp, key");

        private final String end;
        private final String nameIndex;
        private final String expiryIndex;

        Kind(String end, String nameIndex, String expiryIndex) {
            this.end = end;
            this.nameIndex = nameIndex;
            this.expiryIndex = expiryIndex;
        }
    }

    private Dataset data;
    private Folder folder;
    private Connection connection;
    private PreparedStatement select;
    private PreparedStatement update;
    private long version;

    /** Makes the table and fills it. */
    @Setup
    public void open(Size size) throws SQLException {
        data = size.data();
        folder = new Folder();
        Path file = folder.path().resolve("layout.db");
        connection = DriverManager.getConnection("jdbc:sqlite:" + file);
        run("PRAGMA page_size = " + pageSize);
        run("PRAGMA journal_mode = WAL");
        run("PRAGMA synchronous = FULL");
        run("PRAGMA cache_size = -" + pageCache * 1024);
        run("PRAGMA wal_autocheckpoint = " + 4 * 1024 * 1024 / pageSize);
        run("CREATE TABLE entry (grp TEXT NOT NULL, key TEXT NOT NULL, version INTEGER NOT NULL,"
                + " created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL, expires_at INTEGER, due_at INTEGER,"
                + " value BLOB NOT NULL, " + kind.end);
        if (!kind.nameIndex.isEmpty()) {
            run("CREATE UNIQUE INDEX entry_name ON entry (" + kind.nameIndex + ")");
        }
        run("CREATE INDEX entry_expiry ON entry (" + kind.expiryIndex + ")");
        connection.setAutoCommit(false);
        load();
        select = connection.prepareStatement(
                "SELECT version, created_at, updated_at, expires_at, value FROM entry WHERE grp = ? AND key = ?");
        update = connection.prepareStatement(
                "UPDATE entry SET version = ?1, created_at = ?2, updated_at = ?3, value = ?4,"
                        + " expires_at = ?7 WHERE grp = ?5 AND key = ?6");
    }

    private void load() throws SQLException {
        String sql = "INSERT INTO entry (version, created_at, updated_at, value, grp, key, expires_at, due_at)"
                + " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?7)";
        try (PreparedStatement insert = connection.prepareStatement(sql)) {
            for (int entry = 0; entry < data.size(); entry++) {
                set(insert, entry);
                insert.executeUpdate();
                if (entry % Dataset.PAGE == 0) {
                    connection.commit();
                }
            }
        }
        connection.commit();
    }

    /** Closes it and removes the files. */
    @TearDown
    public void close() throws SQLException {
        connection.close();
        folder.close();
    }

    /** Reads and overwrites random entries with a new expiry, in one transaction that waits for the disk. */
    @Benchmark
    @OperationsPerInvocation(BATCH)
    public void overwriteTogether(RandomEntry random) throws SQLException {
        for (int i = 0; i < BATCH; i++) {
            int entry = random.of(data);
            select.setString(1, data.group(entry));
            select.setString(2, data.key(entry));
            try (ResultSet row = select.executeQuery()) {
                row.next();
                row.getBytes(5);
            }
            set(update, entry);
            update.executeUpdate();
        }
        connection.commit();
    }

    private void set(PreparedStatement statement, int entry) throws SQLException {
        long now = System.currentTimeMillis();
        statement.setLong(1, ++version);
        statement.setLong(2, now);
        statement.setLong(3, now);
        statement.setBytes(4, data.value(entry));
        statement.setString(5, data.group(entry));
        statement.setString(6, data.key(entry));
        statement.setLong(7, now + TTL_MILLIS);
    }

    private void run(String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
