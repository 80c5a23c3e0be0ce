package dev.ttlstore.sqlite;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import dev.ttlstore.StoreException;
import dev.ttlstore.contract.Promise;
import dev.ttlstore.engine.Engine;
import dev.ttlstore.engine.EngineSettings;
import dev.ttlstore.engine.Row;
import dev.ttlstore.engine.RowChange;
import dev.ttlstore.engine.RowKey;
import dev.ttlstore.sqlite.SqliteSession.Checkpoint;
import dev.ttlstore.sqlite.SqliteSession.Role;

import static org.assertj.core.api.Assertions.assertThat;

@Promise({11, 23})
class CheckpointerTests {

    private static final int MIB = 1024 * 1024;

    private static final int VALUE = 10_000;

    @TempDir
    Path folder;

    private Path file = Path.of("unset");
    private Path wal = Path.of("unset");

    @BeforeEach
    void placeFile() throws IOException {
        file = folder.toRealPath().resolve("store.db");
        wal = folder.toRealPath().resolve("store.db-wal");
    }

    @Test
    void theWalStaysWithinItsLimitHoweverMuchIsWritten() throws IOException {
        try (Engine engine = new SqliteEngineProvider().open(settings(MIB))) {
            for (int i = 0; i < 2_000; i++) {
                write(engine, i);
                assertThat(Files.size(wal)).isLessThan(MIB + MIB); // a look is had every 128 pages, more or less
            }
            assertThat(Files.size(file)).isGreaterThan(10L * MIB);
        }
    }

    @Test
    void theWalIsFoldedBesideTheWriterLongBeforeItsLimit() {
        try (Engine engine = new SqliteEngineProvider().open(settings(1_024 * MIB))) {
            for (int i = 0; i < 3_000; i++) {
                write(engine, i);
            }
            Awaitility.await().until(() -> Files.size(file) > 10L * MIB);
            assertThat(engine.read(key(2_999))).isNotNull();
        }
    }

    @Test
    void aWalThatCannotBeFoldedBesideTheWriterIsFoldedByTheWriter() throws IOException {
        SqliteErrors errors = new SqliteErrors(file.toString());
        EngineSettings settings = settings(MIB);
        AtomicInteger tries = new AtomicInteger();
        try (SqliteSession session = SqliteSession.open("jdbc:sqlite:" + file, errors)) {
            SqliteSchema.prepare(session, null);
            session.configure(Role.WRITER, settings);
            int frames = session.maxFrames(settings);
            Checkpointer checkpointer = new Checkpointer(
                    new SessionPool(session),
                    () -> {
                        tries.incrementAndGet();
                        throw new StoreException("no connection is to be had");
                    },
                    frames);
            for (int i = 0; i < 500; i++) {
                RowChange change = put(i);
                session.inTransaction(() -> {
                    new SqliteTransaction(session).store(List.of(change));
                    return true;
                });
                checkpointer.committed(session, 6);
                assertThat(session.checkpoint(Checkpoint.NOOP).frames())
                        .isLessThan(frames + 130); // a look is had every 128 pages
            }
            checkpointer.close();
            assertThat(tries).hasPositiveValue();
            assertThat(session.reads().read(key(499))).isNotNull();
        }
    }

    @Test
    void closingLeavesNoWal() {
        try (Engine engine = new SqliteEngineProvider().open(settings(64 * MIB))) {
            for (int i = 0; i < 200; i++) {
                write(engine, i);
            }
            assertThat(wal).isNotEmptyFile();
        }
        assertThat(wal).doesNotExist();
    }

    private EngineSettings settings(long walLimit) {
        return new EngineSettings(
                file,
                false,
                Duration.ZERO,
                EngineSettings.DEFAULT_READERS,
                EngineSettings.DEFAULT_PAGE_CACHE_SIZE,
                0,
                walLimit);
    }

    private static void write(Engine engine, int i) {
        engine.write(transaction -> {
            transaction.store(List.of(put(i)));
            return true;
        });
    }

    private static RowChange put(int i) {
        return new RowChange(null, new Row(key(i), new byte[VALUE], i, 0, 0, Row.NEVER));
    }

    private static RowKey key(int i) {
        return new RowKey("group", "key" + i);
    }
}
