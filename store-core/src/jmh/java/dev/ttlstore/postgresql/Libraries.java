package dev.ttlstore.postgresql;

import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

import javax.sql.DataSource;

import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

import dev.ttlstore.Group;

/**
 * What two libraries do with their own tables, by statements of the same shape and without the libraries: a request that reads a
 * session and extends it, as Spring Session JDBC does in two transactions, and a lock that is taken and released, as ShedLock
 * does by the time of the database.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Fork(1)
@Warmup(iterations = 2, time = 1)
@Measurement(iterations = 3, time = 1)
public class Libraries {

    static final String[] TABLES = {
        """
        CREATE TABLE hand.session (
            primary_id char(36) PRIMARY KEY, session_id char(36) NOT NULL, created bigint NOT NULL,
            last_access bigint NOT NULL, max_inactive int NOT NULL, expiry bigint NOT NULL, principal varchar(100))
        """,
        "CREATE UNIQUE INDEX session_id ON hand.session (session_id)",
        "CREATE INDEX session_expiry ON hand.session (expiry)",
        "CREATE INDEX session_principal ON hand.session (principal)",
        """
        CREATE TABLE hand.attribute (
            primary_id char(36) NOT NULL REFERENCES hand.session ON DELETE CASCADE, name varchar(200) NOT NULL,
            bytes bytea NOT NULL, PRIMARY KEY (primary_id, name))
        """,
        """
        INSERT INTO hand.session
        SELECT lpad(i::text, 36, '0'), lpad(i::text, 36, '0'), 0, 0, 1800, 1e13, NULL FROM generate_series(0, 49999) i
        """,
        "INSERT INTO hand.attribute SELECT s.primary_id, 'user', decode(repeat('00', 100), 'hex') FROM hand.session s",
        "CREATE TABLE hand.lock (name varchar(64) PRIMARY KEY, lock_until timestamp NOT NULL, locked_at timestamp NOT NULL,"
                + " locked_by varchar(255) NOT NULL)"
    };

    private static final String FIND = """
            SELECT s.primary_id, s.session_id, s.created, s.last_access, s.max_inactive, a.name, a.bytes
              FROM hand.session s
              LEFT JOIN hand.attribute a ON a.primary_id = s.primary_id
             WHERE s.session_id = ?
            """;

    private static final String TOUCH = """
            UPDATE hand.session SET session_id = ?, last_access = ?, max_inactive = 1800, expiry = ?, principal = NULL
             WHERE primary_id = ?
            """;

    private static final String LOCK = """
            INSERT INTO hand.lock AS l (name, lock_until, locked_at, locked_by)
            VALUES (?, timezone('utc', current_timestamp) + interval '30 seconds', timezone('utc', current_timestamp), ?)
                ON CONFLICT (name) DO UPDATE
               SET lock_until = excluded.lock_until, locked_at = excluded.locked_at, locked_by = excluded.locked_by
             WHERE l.lock_until <= timezone('utc', current_timestamp)
            """;

    private static final String UNLOCK = """
            UPDATE hand.lock SET lock_until = timezone('utc', current_timestamp) WHERE name = ? AND locked_by = ?
            """;

    private static final byte[] OWNER = "node 1".getBytes(StandardCharsets.UTF_8);

    /** Reads a session and extends it, in one call. */
    @Benchmark
    public boolean session(Bench bench) {
        int entry = bench.random();
        return bench.handle(entry).getAndExpire(bench.key(entry), Bench.TTL).isPresent();
    }

    /** As Spring Session does: two transactions. */
    @Benchmark
    public int sessionByHand(Bench bench) throws SQLException {
        String id = find(bench.server().pool(), String.format(Locale.ROOT, "%036d", bench.random()));
        return touch(bench.server().pool(), id);
    }

    private static String find(DataSource pool, String name) throws SQLException {
        try (Connection connection = pool.getConnection();
                PreparedStatement statement = connection.prepareStatement(FIND)) {
            connection.setAutoCommit(false);
            statement.setString(1, name);
            String id = "";
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    id = rows.getString(1);
                    rows.getBytes(7);
                }
            }
            connection.commit();
            connection.setAutoCommit(true);
            return id;
        }
    }

    private static int touch(DataSource pool, String id) throws SQLException {
        try (Connection connection = pool.getConnection();
                PreparedStatement statement = connection.prepareStatement(TOUCH)) {
            connection.setAutoCommit(false);
            long now = System.currentTimeMillis();
            statement.setString(1, id);
            statement.setLong(2, now);
            statement.setLong(3, now + Bench.TTL_MILLIS);
            statement.setString(4, id);
            int changed = statement.executeUpdate();
            connection.commit();
            connection.setAutoCommit(true);
            return changed;
        }
    }

    /** Takes a lock and releases it. */
    @Benchmark
    public boolean lock(Bench bench) {
        Group<byte[]> locks = bench.store().group("locks", byte[].class);
        return locks.putIfAbsent("report", OWNER, Bench.TTL).isPresent() && locks.delete("report", OWNER);
    }

    /** As ShedLock does: two statements. */
    @Benchmark
    public boolean lockByHand(Bench bench) throws SQLException {
        return run(bench.server().pool(), LOCK) == 1 && run(bench.server().pool(), UNLOCK) == 1;
    }

    private static int run(DataSource pool, String sql) throws SQLException {
        try (Connection connection = pool.getConnection();
                PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setString(1, "report");
            statement.setString(2, "node 1");
            return statement.executeUpdate();
        }
    }
}
