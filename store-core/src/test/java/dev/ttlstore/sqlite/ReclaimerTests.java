package dev.ttlstore.sqlite;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import dev.ttlstore.contract.LogRecorder;
import dev.ttlstore.contract.Promise;
import dev.ttlstore.engine.EngineSettings;
import dev.ttlstore.sqlite.SqliteSettings.Role;

import ch.qos.logback.classic.Level;

import static dev.ttlstore.contract.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;

/** When free pages are given back, and how many. */
@Promise({6, 23})
class ReclaimerTests {

    private static final Duration WAIT = Duration.ofSeconds(1);
    private static final int MANY = 4_000;

    /** Rows of two pages each. */
    private static final String FILL = """
            INSERT INTO entry (grp, key, version, created_at, updated_at, value)
            WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < %d)
            SELECT 'group', 'key' || i || hex(randomblob(8)), 1, 0, 0, zeroblob(3500) FROM n
            """;

    @TempDir
    Path folder;

    private final Alarms alarms = new Alarms();
    private final AtomicLong nanos = new AtomicLong(1);

    /** Holds the work that was set, and how long it shall wait. */
    private static final class Alarms implements Reclaimer.Alarm {

        private final Deque<Runnable> work = new ArrayDeque<>();
        private final Deque<Duration> waits = new ArrayDeque<>();
        private boolean isWithoutThread;

        @Override
        public boolean set(Runnable next, long wait) {
            if (isWithoutThread) {
                return false;
            }
            work.add(next);
            waits.add(Duration.ofNanos(wait));
            return true;
        }

        Duration ring() {
            work.remove().run();
            return waits.remove();
        }

        @Override
        public void close() {
            work.clear();
        }
    }

    private interface Use {
        void on(SqliteSession session, Checkpointer checkpointer, Reclaimer reclaimer) throws IOException;
    }

    private void withReclaimer(boolean able, Use use) throws IOException {
        Path file = folder.resolve("store.db");
        boolean isNew = !Files.exists(file);
        SqliteErrors errors = new SqliteErrors(file.toString());
        SqliteSettings settings = Sqlite.file(file)
                .reclaimAfter(WAIT)
                .settings(new EngineSettings(false, Duration.ZERO, InstantSource.system()));
        try (SqliteSession session = SqliteSession.open("jdbc:sqlite:" + file, errors)) {
            if (able) {
                session.makeReclaimable();
            }
            if (isNew) {
                SqliteSchema.prepare(session);
            }
            settings.configure(session, Role.WRITER);
            SessionPool writer = new SessionPool(session);
            try (Checkpointer checkpointer = new Checkpointer(
                            writer,
                            () -> {
                                SqliteSession other = SqliteSession.open("jdbc:sqlite:" + file, errors);
                                settings.configure(other, Role.WRITER);
                                return other;
                            },
                            () -> {},
                            () -> Long.MAX_VALUE,
                            settings.maxFrames(session.pageSize()),
                            false,
                            System::nanoTime);
                    Reclaimer reclaimer = new Reclaimer(writer, checkpointer, WAIT, alarms, nanos::get)) {
                reclaimer.opened(session);
                use.on(session, checkpointer, reclaimer);
            }
        }
    }

    private static void fill(SqliteSession session, Reclaimer reclaimer, int rows) {
        session.execute(FILL.formatted(rows));
        reclaimer.committed(session, rows);
    }

    private static void empty(SqliteSession session, Reclaimer reclaimer) {
        session.execute("DELETE FROM entry");
        reclaimer.committed(session, MANY);
    }

    @Test
    void whatNobodyUsedForTheTimeIsGivenBackExceptForSome() throws IOException {
        withReclaimer(true, (session, checkpointer, reclaimer) -> {
            fill(session, reclaimer, MANY);
            long full = session.pageCount();
            assertThat(alarms.work).isEmpty();
            empty(session, reclaimer);
            assertThat(session.pageCount()).isEqualTo(full);
            assertThat(alarms.ring()).isEqualTo(WAIT);
            assertThat(session.freePages()).isBetween((long) Reclaimer.MIN_PAGES, Reclaimer.MIN_PAGES + 64L);
            assertThat(session.pageCount()).isLessThan(Reclaimer.MIN_PAGES + 200);
            assertThat(session.pragma("integrity_check")).isEqualTo("ok");
            assertThat(alarms.work).isEmpty();
            checkpointer.close();
            session.checkpoint(Checkpoint.TRUNCATE);
            assertThat(Files.size(folder.resolve("store.db"))).isEqualTo(session.pageCount() * session.pageSize());
        });
    }

    @Test
    void whatWasUsedMeanwhileIsNotSurplusAlthoughItIsFreeAgain() throws IOException {
        withReclaimer(true, (session, checkpointer, reclaimer) -> {
            fill(session, reclaimer, MANY);
            long full = session.pageCount();
            for (int cycle = 0; cycle < 3; cycle++) {
                empty(session, reclaimer);
                fill(session, reclaimer, MANY - 1_000);
                empty(session, reclaimer);
                assertThat(alarms.ring()).isEqualTo(WAIT);
                assertThat(session.pageCount()).isEqualTo(full);
                fill(session, reclaimer, MANY - 1_000);
            }
        });
    }

    @Test
    void aFileThatGrowsAgainEachTimeIsLeftAloneForTwiceAsLongEachTime() throws IOException {
        withReclaimer(true, (session, checkpointer, reclaimer) -> {
            for (int cycle = 0; cycle < 3; cycle++) {
                fill(session, reclaimer, MANY);
                empty(session, reclaimer);
                assertThat(alarms.ring()).isEqualTo(WAIT.multipliedBy(1L << cycle));
                assertThat(session.pageCount()).isLessThan(MANY / 2);
            }
            nanos.addAndGet(TimeUnit.DAYS.toNanos(1));
            fill(session, reclaimer, 2_300); // enough to be surplus, and too little to have grown again
            empty(session, reclaimer);
            assertThat(alarms.ring()).isEqualTo(WAIT);
        });
    }

    @Test
    void nothingIsGivenBackBesideABackup() throws IOException {
        withReclaimer(true, (session, checkpointer, reclaimer) -> {
            fill(session, reclaimer, MANY);
            empty(session, reclaimer);
            long full = session.pageCount();
            checkpointer.keepLog(1);
            alarms.ring();
            assertThat(session.pageCount()).isEqualTo(full);
            checkpointer.keepLog(0);
            alarms.ring();
            assertThat(session.pageCount()).isLessThan(full / 2);
        });
    }

    @Test
    @Promise(24)
    void withoutAThreadALaterCommitHasItDone() throws IOException {
        withReclaimer(true, (session, checkpointer, reclaimer) -> {
            fill(session, reclaimer, MANY);
            alarms.isWithoutThread = true;
            empty(session, reclaimer);
            alarms.isWithoutThread = false;
            reclaimer.committed(session, MANY);
            assertThat(alarms.ring()).isEqualTo(WAIT);
            assertThat(session.pageCount()).isLessThan(Reclaimer.MIN_PAGES + 200);
        });
    }

    @Test
    void aSmallFileKeepsItsRoom() throws IOException {
        withReclaimer(true, (session, checkpointer, reclaimer) -> {
            fill(session, reclaimer, Reclaimer.MIN_PAGES);
            empty(session, reclaimer);
            assertThat(alarms.work).isEmpty();
        });
    }

    @Test
    void freePagesThatAreFoundWhenTheStoreOpensAreGivenBackToo() throws IOException {
        withReclaimer(true, (session, checkpointer, reclaimer) -> {
            session.execute(FILL.formatted(MANY));
            session.execute("DELETE FROM entry");
        });
        withReclaimer(true, (session, checkpointer, reclaimer) -> {
            alarms.ring();
            assertThat(session.pageCount()).isLessThan(Reclaimer.MIN_PAGES + 200);
        });
    }

    @Test
    @Promise({21, 23})
    void aFileThatCannotShrinkIsReportedWhenItOpens() throws IOException {
        withReclaimer(false, (session, checkpointer, reclaimer) -> {
            fill(session, reclaimer, MANY);
            empty(session, reclaimer);
        });
        try (LogRecorder log = new LogRecorder(Reclaimer.class.getName(), Level.INFO)) {
            withReclaimer(false, (session, checkpointer, reclaimer) -> {});
            assertThat(log.messages()).singleElement(STRING).contains("Restore a backup of it");
        }
        assertThat(alarms.work).isEmpty();
    }
}
