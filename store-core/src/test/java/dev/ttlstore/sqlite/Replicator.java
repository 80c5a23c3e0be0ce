package dev.ttlstore.sqlite;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;

/**
 * Stands for Litestream beside a store that is open. As Litestream does, it adds two tables, holds a read transaction so that nobody
 * else's checkpoint restarts the log, copies what the log has while it keeps writers out, and makes the checkpoints.
 */
final class Replicator implements AutoCloseable {

    private final Path file;
    private final Connection reading;
    private final Connection writing;

    Replicator(Path file) throws SQLException {
        this.file = file;
        this.reading = DriverManager.getConnection("jdbc:sqlite:" + file);
        this.writing = DriverManager.getConnection("jdbc:sqlite:" + file);
        run(writing, "PRAGMA wal_autocheckpoint = 0");
        run(writing, "PRAGMA busy_timeout = 5000");
        run(writing, "CREATE TABLE IF NOT EXISTS _litestream_seq (id INTEGER PRIMARY KEY, seq INTEGER)");
        run(writing, "CREATE TABLE IF NOT EXISTS _litestream_lock (id INTEGER)");
        hold();
    }

    private static void run(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private void hold() throws SQLException {
        run(reading, "BEGIN");
        run(reading, "SELECT count(1) FROM _litestream_seq");
    }

    /** Copies the file and its log, as they are at one moment. */
    void replicate(Path replica) throws SQLException, IOException {
        run(writing, "BEGIN IMMEDIATE");
        run(writing, "INSERT INTO _litestream_lock (id) VALUES (1)");
        Files.copy(file, replica);
        Files.copy(wal(file), wal(replica));
        run(writing, "ROLLBACK");
    }

    private static Path wal(Path file) {
        return file.resolveSibling(file.getFileName() + "-wal");
    }

    /** Checkpoints what was copied, and writes to the log at once. */
    void checkpoint(String mode) throws SQLException {
        run(reading, "ROLLBACK");
        run(writing, "PRAGMA wal_checkpoint(" + mode + ")");
        run(
                writing,
                "INSERT INTO _litestream_seq (id, seq) VALUES (1, 1) ON CONFLICT (id) DO UPDATE SET seq = seq + 1");
        hold();
    }

    @Override
    public void close() throws SQLException {
        reading.close();
        writing.close();
    }
}
