package dev.ttlstore.sqlite;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import dev.ttlstore.Store;
import dev.ttlstore.contract.Promise;
import dev.ttlstore.engine.EngineSettings;
import dev.ttlstore.exception.StoreException;

import static dev.ttlstore.contract.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** What is kept for a full disk, on one that is not; for the others see {@link FullDiskTests}. */
@Promise(23)
class DiskSpaceTests {

    private static final int MIB = 1024 * 1024;

    /** The length of the log at which the writer folds it. */
    private static final int FRAMES = 20;

    @TempDir
    Path folder;

    private Path file = Path.of("unset");
    private Path reserve = Path.of("unset");

    @BeforeEach
    void nameFiles() throws IOException {
        file = folder.toRealPath().resolve("store.db");
        reserve = folder.toRealPath().resolve("store.db.reserve");
    }

    @Test
    void theReserveHoldsWhatTheLogWillBringIntoTheFileAndStaysSmallWhenTheStoreIsClosed() throws IOException {
        try (Store store = Store.builder().path(file).maxValueSize(4 * MIB).open()) {
            assertThat(Files.size(reserve)).isBetween(64L * 1024, (long) MIB);
            store.group("group").put("large", "x".repeat(3 * MIB));
            assertThat(Files.size(reserve)).isGreaterThan(3 * MIB);
        }
        assertThat(Files.size(reserve)).isBetween(64L * 1024, (long) MIB);
    }

    @Test
    void aStoreWhoseReserveCannotBeMadeGoesWithout() throws IOException {
        Files.createDirectory(reserve);
        try (Store store = Store.open(file)) {
            store.group("group").put("key", "value");
            assertThat(store.group("group").delete("key")).isTrue();
            assertThatCode(store::check).doesNotThrowAnyException();
        }
        assertThat(reserve).isEmptyDirectory();
    }

    @Test
    void aReserveThatIsALinkIsNotFollowed() throws IOException {
        Path precious = Files.writeString(folder.resolve("precious"), "text");
        Files.createSymbolicLink(reserve, precious);
        try (Store store = Store.open(file)) {
            store.group("group").put("key", "value");
        }
        assertThat(precious).hasContent("text");
    }

    /** A store's file, and what looks after its log. */
    private interface Use {
        void on(SqliteSession session, Checkpointer checkpointer, DiskSpace space);
    }

    private void withRoom(LongSupplier usableSpace, LongSupplier nanoTime, Use use) {
        SqliteErrors errors = new SqliteErrors(file.toString());
        try (StoreFile claimed = StoreFile.claim(file, Duration.ZERO);
                SqliteSession session = SqliteSession.open(SqliteFiles.url(claimed.path()), errors)) {
            SqliteSettings settings =
                    Sqlite.file(file).settings(new EngineSettings(false, Duration.ZERO, InstantSource.system()));
            SqliteSchema.prepare(session, claimed, settings);
            settings.configure(session, SqliteSettings.Role.WRITER);
            Checkpointer checkpointer = new Checkpointer(
                    new SessionPool(session),
                    () -> SqliteSession.open(SqliteFiles.url(claimed.path()), errors),
                    () -> {},
                    usableSpace,
                    FRAMES,
                    false,
                    nanoTime);
            Reclaimer reclaimer = new Reclaimer(
                    new SessionPool(session),
                    checkpointer,
                    Duration.ZERO,
                    new Reclaimer.AlarmThread(),
                    System::nanoTime);
            DiskSpace space = new DiskSpace(
                    claimed,
                    Reserve.open(file),
                    checkpointer,
                    reclaimer,
                    session.pageSize(),
                    Transactions.owner(),
                    () -> true);
            try {
                use.on(session, checkpointer, space);
            } finally {
                checkpointer.close();
            }
            space.close(() -> {});
        }
    }

    @Test
    @Promise({8, 11})
    void aCommitStaysDoneWhateverHappensBehindItAndACheckTriesAgain() {
        LongSupplier failing = () -> {
            throw new OutOfMemoryError("of this test");
        };
        withRoom(failing, System::nanoTime, (session, checkpointer, space) -> {
            assertThatCode(() -> space.committed(session, 1_000)).doesNotThrowAnyException();
            assertThat(checkpointer.health().failure()).isInstanceOf(OutOfMemoryError.class);
            space.check(new SessionPool(session));
            assertThat(checkpointer.health().failure()).isNull();
        });
    }

    @Test
    @Promise(23)
    void aReadThatKeepsTheLogFromBeingFoldedIsToldByACheckWhenItTakesLong() {
        AtomicLong now = new AtomicLong();
        withRoom(() -> Long.MAX_VALUE, now::get, (session, checkpointer, space) -> {
            SessionPool writer = new SessionPool(session);
            try (SqliteSession reader = SqliteSession.open("jdbc:sqlite:" + file, new SqliteErrors(file.toString()))) {
                reader.execute("BEGIN");
                SequenceRow.read(reader);
                for (int i = 0; i <= FRAMES; i++) {
                    session.execute("UPDATE mark SET time = time + 1");
                }
                space.committed(session, 1_000);
                space.beforeWrite(session);
                assertThatCode(() -> space.check(writer)).doesNotThrowAnyException();
                now.addAndGet(Duration.ofSeconds(31).toNanos());
                assertThatExceptionOfType(StoreException.class)
                        .isThrownBy(() -> space.check(writer))
                        .withMessageContaining(file.toString())
                        .withMessageContaining("End that read");
                reader.execute("COMMIT");
                assertThatCode(() -> space.check(writer)).doesNotThrowAnyException();
            }
        });
    }
}
