package dev.ttlstore.sqlite;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.stream.IntStream;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import dev.ttlstore.contract.LogRecorder;
import dev.ttlstore.contract.Promise;
import dev.ttlstore.contract.Threads;
import dev.ttlstore.engine.Engine;
import dev.ttlstore.engine.EngineSettings;
import dev.ttlstore.engine.Reads;
import dev.ttlstore.engine.Row;
import dev.ttlstore.engine.RowChange;
import dev.ttlstore.engine.RowKey;
import dev.ttlstore.engine.commit.EngineWrites;
import dev.ttlstore.exception.StoreException;
import dev.ttlstore.sqlite.SqliteSettings.Role;

import ch.qos.logback.classic.Level;

import static dev.ttlstore.contract.Assertions.assertThat;

@Promise({11, 23})
class CheckpointerTests {

    private static final int MIB = 1024 * 1024;
    private static final EngineSettings ASKED = new EngineSettings(false, Duration.ZERO, InstantSource.system());

    private static final int VALUE = 10_000;

    private static final Set<Thread.State> WAITING = Set.of(Thread.State.TIMED_WAITING, Thread.State.TERMINATED);

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
        try (Engine engine = engine(MIB)) {
            for (int i = 0; i < 2_000; i++) {
                write(engine, i);
                assertThat(Files.size(wal)).isLessThan(MIB + MIB); // a look is had every 128 pages, more or less
            }
            assertThat(Files.size(file)).isGreaterThan(10L * MIB);
        }
    }

    @Test
    void theWalIsFoldedBesideTheWriterLongBeforeItsLimit() {
        try (Engine engine = engine(1_024 * MIB)) {
            for (int i = 0; i < 3_000; i++) {
                write(engine, i);
            }
            Awaitility.await().until(() -> Files.size(file) > 10L * MIB);
            assertThat(engine.reads().get(key(2_999), Reads.ALL)).isNotNull();
        }
    }

    @Test
    void aWalThatCannotBeFoldedBesideTheWriterIsFoldedByTheWriter() throws IOException {
        SqliteErrors errors = new SqliteErrors(file.toString());
        SqliteSettings settings = settings(MIB);
        AtomicInteger tries = new AtomicInteger();
        try (SqliteSession session = SqliteSession.open("jdbc:sqlite:" + file, errors)) {
            SqliteSchema.prepare(session);
            settings.configure(session, Role.WRITER);
            int frames = settings.maxFrames(session.pageSize());
            int longest = 0;
            Checkpointer checkpointer = new Checkpointer(
                    new SessionPool(session),
                    () -> {
                        tries.incrementAndGet();
                        throw new StoreException("no connection is to be had");
                    },
                    () -> {},
                    () -> Long.MAX_VALUE,
                    frames,
                    false,
                    System::nanoTime);
            for (int i = 0; i < 500; i++) {
                RowChange change = put(i);
                session.inTransaction(() -> {
                    Transactions.of(session).store(List.of(change));
                    return true;
                });
                checkpointer.committed(session, 6);
                int atTheEndOfTheCommit = session.checkpoint(Checkpoint.NOOP).frames();
                longest = Math.max(longest, atTheEndOfTheCommit);
                assertThat(atTheEndOfTheCommit).isLessThan(frames + 130); // a look is had every 128 pages
                checkpointer.helpIfDue(session);
            }
            assertThat(longest)
                    .isGreaterThanOrEqualTo(frames); // readers wait for the end of a commit, not for the fold
            checkpointer.close();
            assertThat(tries).hasPositiveValue();
            assertThat(session.reads().get(key(499), Reads.ALL)).isNotNull();
        }
    }

    @Test
    void whatIsWrittenWhileTheWalIsCopiedIsCopiedTooBesideTheWriter() {
        AtomicInteger rounds = new AtomicInteger();
        withCheckpointer(
                session -> {
                    if (rounds.incrementAndGet() <= 3) {
                        write(session, 1_000 * rounds.get(), 100);
                    }
                },
                (session, checkpointer) -> {
                    write(session, 0, 1_000);
                    checkpointer.committed(session, 10_000);
                    checkpointer.helpIfDue(session);
                    checkpointer.close();
                    assertThat(rounds).hasValue(4);
                    assertThat(session.checkpoint(Checkpoint.NOOP).pending()).isZero();
                });
    }

    @Test
    void settlingWaitsForTheFoldAtHand() {
        CountDownLatch copied = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        AtomicBoolean folded = new AtomicBoolean();
        AtomicBoolean seen = new AtomicBoolean();
        withCheckpointer(
                session -> {
                    copied.countDown();
                    Threads.await(goOn);
                    folded.set(true);
                },
                (session, checkpointer) -> {
                    checkpointer.settle(); // nothing to wait for
                    write(session, 0, 1_000);
                    checkpointer.committed(session, 10_000);
                    checkpointer.helpIfDue(session);
                    Threads.await(copied);
                    Thread settling = new Thread(() -> {
                        checkpointer.settle();
                        seen.set(folded.get());
                    });
                    settling.start();
                    Awaitility.await().until(() -> WAITING.contains(settling.getState()));
                    goOn.countDown();
                    Awaitility.await().until(() -> !settling.isAlive());
                    assertThat(seen).isTrue();
                });
    }

    @Test
    void settlingEndsWhenItsThreadIsInterrupted() {
        CountDownLatch copied = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        withCheckpointer(
                session -> {
                    copied.countDown();
                    Threads.await(goOn);
                },
                (session, checkpointer) -> {
                    write(session, 0, 1_000);
                    checkpointer.committed(session, 10_000);
                    checkpointer.helpIfDue(session);
                    Threads.await(copied);
                    Thread.currentThread().interrupt();
                    checkpointer.settle();
                    assertThat(Thread.interrupted()).isTrue();
                    goOn.countDown();
                });
    }

    @Test
    void theWalStaysWithinItsLimitThoughReadsOverlapWithoutEnd() throws Exception {
        AtomicBoolean over = new AtomicBoolean();
        CountDownLatch reading = new CountDownLatch(1);
        try (Engine engine = engine(MIB)) {
            Future<Boolean> reads = Threads.start(i -> {
                try (SqliteSession one = reader();
                        SqliteSession other = reader()) {
                    beginSnapshot(one);
                    while (!over.get()) {
                        beginSnapshot(other);
                        endSnapshot(one);
                        reading.countDown();
                        beginSnapshot(one);
                        endSnapshot(other);
                    }
                    endSnapshot(one);
                }
                return true;
            });
            Threads.await(reading);
            for (int i = 0; i < 2_000; i++) {
                write(engine, i);
                // A busy machine may keep a reader from ending for longer than the writer waits, once. Without its help
                // the WAL would have 20 MiB.
                assertThat(Files.size(wal)).isLessThan(3 * MIB);
            }
            over.set(true);
            assertThat(Threads.get(reads)).isTrue();
        }
    }

    @Test
    @Tag("slow")
    void aReadThatGoesOnForLongHoldsUpNoWriterForLongAndTheWalShrinksBehindIt() throws IOException {
        try (Engine engine = engine(MIB);
                SqliteSession reader = reader()) {
            write(engine, 0);
            beginSnapshot(reader);
            for (int i = 1; i <= 300; i++) {
                write(engine, i);
            }
            assertThat(Files.size(wal)).isGreaterThan(2L * MIB);
            endSnapshot(reader);
            for (int i = 301; i <= 700; i++) {
                write(engine, i);
            }
            assertThat(Files.size(wal)).isLessThan(2L * MIB);
        }
    }

    @Test
    void anErrorWhileTheWalIsFoldedIsKeptUntilItCanBe() {
        AtomicInteger forced = new AtomicInteger();
        withCheckpointer(
                session -> {
                    forced.incrementAndGet();
                    throw new OutOfMemoryError("of this test");
                },
                (session, checkpointer) -> {
                    write(session, 0, 1_000);
                    checkpointer.committed(session, 10_000);
                    checkpointer.helpIfDue(session);
                    Awaitility.await().until(() -> checkpointer.health().failure() instanceof OutOfMemoryError);
                    checkpointer.emptyLog(session);
                    assertThat(checkpointer.health().failure()).isNull();
                    assertThat(session.checkpoint(Checkpoint.NOOP).frames()).isZero();
                });
        assertThat(forced).hasPositiveValue();
    }

    @Test
    void aWalThatCanBeFoldedOnlyNowAndThenIsToldOfOnce() {
        try (LogRecorder log = new LogRecorder(Checkpointer.class.getName(), Level.WARN)) {
            withCheckpointer(session -> {}, (session, checkpointer) -> {
                for (int i = 0; i < 5; i++) {
                    checkpointer.health().failed(new StoreException("of this test"));
                    checkpointer.emptyLog(session);
                    assertThat(checkpointer.health().failure()).isNull();
                }
            });
            assertThat(log.messages()).hasSize(1);
        }
    }

    @Test
    void closingLeavesNoWal() {
        try (Engine engine = engine(64 * MIB)) {
            for (int i = 0; i < 200; i++) {
                write(engine, i);
            }
            assertThat(wal).isNotEmptyFile();
        }
        assertThat(wal).doesNotExist();
    }

    private SqliteSession reader() {
        SqliteSession session = SqliteSession.open("jdbc:sqlite:" + file, new SqliteErrors(file.toString()));
        settings(MIB).configure(session, Role.READER);
        return session;
    }

    private static void beginSnapshot(SqliteSession session) {
        session.execute("BEGIN");
        SequenceRow.read(session); // with its first read
    }

    private static void endSnapshot(SqliteSession session) {
        session.execute("COMMIT");
    }

    /** Runs something with a checkpointer that folds beside a connection which stands for the writer's. */
    private void withCheckpointer(Consumer<SqliteSession> afterRound, BiConsumer<SqliteSession, Checkpointer> use) {
        SqliteErrors errors = new SqliteErrors(file.toString());
        String url = "jdbc:sqlite:" + file;
        SqliteSettings settings = settings(1_024 * MIB);
        try (SqliteSession session = SqliteSession.open(url, errors)) {
            SqliteSchema.prepare(session);
            settings.configure(session, Role.WRITER);
            SessionPool writer = new SessionPool(session);
            Runnable force = () -> writer.with(lent -> {
                afterRound.accept(lent);
                return true;
            });
            Checkpointer checkpointer = new Checkpointer(
                    writer,
                    () -> another(url, errors),
                    force,
                    () -> Long.MAX_VALUE,
                    settings.maxFrames(session.pageSize()),
                    false,
                    System::nanoTime);
            try {
                use.accept(session, checkpointer);
            } finally {
                checkpointer.close();
            }
        }
    }

    private SqliteSession another(String url, SqliteErrors errors) {
        SqliteSession session = SqliteSession.open(url, errors);
        settings(MIB).configure(session, Role.WRITER);
        return session;
    }

    private static void write(SqliteSession session, int first, int rows) {
        session.inTransaction(() -> {
            Transactions.of(session)
                    .store(IntStream.range(first, first + rows)
                            .mapToObj(CheckpointerTests::put)
                            .toList());
            return true;
        });
    }

    private Engine engine(long walLimit) {
        return Sqlite.file(file).walLimit(walLimit).open(ASKED);
    }

    private SqliteSettings settings(long walLimit) {
        return Sqlite.file(file).walLimit(walLimit).settings(ASKED);
    }

    private static void write(Engine engine, int i) {
        EngineWrites.store(engine, put(i));
    }

    private static RowChange put(int i) {
        return new RowChange(null, new Row(key(i), new byte[VALUE], i, 0, 0, Row.NEVER));
    }

    private static RowKey key(int i) {
        return new RowKey("group", "key" + i);
    }
}
