package dev.ttlstore.sqlite;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import dev.ttlstore.BackupProgress;
import dev.ttlstore.BackupResult;
import dev.ttlstore.Store;
import dev.ttlstore.contract.LogRecorder;
import dev.ttlstore.contract.Promise;
import dev.ttlstore.contract.Threads;
import dev.ttlstore.exception.StoreClosedException;
import dev.ttlstore.exception.StoreInterruptedException;
import dev.ttlstore.exception.StorePathException;

import ch.qos.logback.classic.Level;

import static dev.ttlstore.contract.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/** What may happen while a backup is made: writes, other backups, and what ends it early. */
@Promise({9, 20, 21})
@Timeout(120)
class RunningBackupTests extends BackedUpFile {

    /** Random writes, each in one transaction with a counter, so that the counter says which of them a backup must have. */
    @Test
    void aBackupUnderLoadIsTheStoreOfOneMoment() throws Exception {
        List<Map.Entry<String, String>> history = Collections.synchronizedList(new ArrayList<>());
        AtomicBoolean over = new AtomicBoolean();
        long before;
        try (Store store = open()) {
            fill(store);
            CompletableFuture<Void> load = CompletableFuture.runAsync(() -> Threads.together(4, thread -> {
                Random random = new Random(thread);
                int done = 0;
                while (!over.get() || done < 1_000) {
                    write(store, history, random, thread);
                    done++;
                }
                return true;
            }));
            Awaitility.await().until(() -> history.size() >= 500);
            before = store.counters("writes").get("n").orElseThrow();
            store.backup(backup);
            over.set(true);
            load.get(60, TimeUnit.SECONDS);
        }
        loseAndRestore();
        try (Store restored = open()) {
            long writes = restored.counters("writes").get("n").orElseThrow();
            assertThat(writes).isGreaterThanOrEqualTo(before).isLessThanOrEqualTo(history.size());
            Map<String, String> expected = new HashMap<>();
            history.subList(0, (int) writes).forEach(write -> {
                if (write.getValue().isEmpty()) {
                    expected.remove(write.getKey());
                } else {
                    expected.put(write.getKey(), write.getValue());
                }
            });
            assertThat(restored.group("values").getAll()).isEqualTo(expected);
            assertThat(restored.group("many").count()).isEqualTo(20_000);
            restored.check();
        }
    }

    /** Writers wait for each other, so the history has the order of the commits. */
    private static void write(Store store, List<Map.Entry<String, String>> history, Random random, int thread) {
        String key = "key " + random.nextInt(200);
        String value = random.nextInt(4) == 0 ? "" : thread + " " + random.nextLong();
        store.transactWithoutResult(tx -> {
            tx.counters("writes").increment("n");
            if (value.isEmpty()) {
                tx.group("values").delete(key);
            } else {
                tx.group("values").put(key, value, HOUR);
            }
            history.add(Map.entry(key, value));
        });
    }

    @Tag("slow")
    @Test
    void ofSeveralBackupsOfTheSameNameOneIsMade() throws Exception {
        try (Store store = open()) {
            fill(store);
            List<Boolean> made = Threads.together(4, thread -> {
                try {
                    return store.backup(backup).bytes() > 0;
                } catch (StorePathException e) {
                    return false;
                }
            });
            assertThat(made).containsOnlyOnce(true);
        }
        assertThat(filesOf(backups())).containsExactly(backup.getFileName().toString());
        assertThat(Sql.query(backup, "PRAGMA integrity_check")).containsExactly("ok");
        assertThat(Sql.query(backup, "SELECT count(*) FROM entry")).containsExactly("20000");
    }

    @Test
    void aBackupShowsItsProgress() {
        List<BackupProgress> seen = new ArrayList<>();
        try (Store store = open()) {
            fill(store);
            BackupResult made = store.backup(backup, seen::add);
            BackupProgress last = seen.get(seen.size() - 1);
            assertThat(last.bytes()).isEqualTo(last.total()).isEqualTo(made.bytes());
            assertThat(last.fraction()).isEqualTo(1);
            assertThat(seen).extracting(BackupProgress::bytes).isSorted();
        }
    }

    /** Begins a backup, and holds SQLite in its first look until the work is done. */
    private @Nullable Throwable during(Store store, Work work) throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        AtomicInteger reports = new AtomicInteger();
        CompletableFuture<Throwable> ended = new CompletableFuture<>();
        Thread thread = new Thread(() -> {
            try {
                store.backup(backup, progress -> {
                    if (reports.getAndIncrement() == 0) {
                        begun.countDown();
                        Awaitility.await()
                                .atMost(Duration.ofSeconds(60))
                                .until(() -> goOn.getCount() == 0
                                        || Thread.currentThread().isInterrupted());
                    }
                });
                ended.complete(null);
            } catch (RuntimeException | Error e) {
                ended.complete(e);
            }
        });
        thread.start();
        assertThat(begun.await(60, TimeUnit.SECONDS)).isTrue();
        work.run(thread);
        goOn.countDown();
        return ended.get(60, TimeUnit.SECONDS);
    }

    private interface Work {
        void run(Thread backup) throws Exception;
    }

    @Test
    void aListenerThatThrowsEndsTheBackup() throws Exception {
        try (Store store = open()) {
            fill(store);
            assertThatIllegalStateException()
                    .isThrownBy(() -> store.backup(backup, progress -> {
                        throw new IllegalStateException("enough");
                    }))
                    .withMessage("enough");
            assertThat(filesOf(backups())).isEmpty();
            store.backup(backup);
        }
        assertThat(Sql.query(backup, "PRAGMA integrity_check")).containsExactly("ok");
    }

    @Test
    void anInterruptEndsTheBackup() throws Exception {
        try (Store store = open()) {
            fill(store);
            assertThat(during(store, Thread::interrupt))
                    .isInstanceOf(StoreInterruptedException.class)
                    .hasMessageContaining(backup.toString());
            assertThat(filesOf(backups())).isEmpty();
            assertThat(newVersion(store)).isPositive();
        }
    }

    @Promise(22)
    @Test
    void theEndOfTheStoreEndsTheBackup() throws Exception {
        Store store = open();
        fill(store);
        CompletableFuture<Void> closing = new CompletableFuture<>();
        assertThat(during(store, thread -> {
                    CompletableFuture<Void> unused =
                            CompletableFuture.runAsync(store::close).thenRun(() -> closing.complete(null));
                    Awaitility.await().until(() -> isClosed(store));
                }))
                .isInstanceOf(StoreClosedException.class);
        closing.get(60, TimeUnit.SECONDS);
        assertThat(filesOf(backups())).isEmpty();
        assertThatExceptionOfType(StoreClosedException.class).isThrownBy(() -> store.backup(backup));
        try (Store again = open()) {
            assertThat(again.group("many").count()).isEqualTo(20_000);
        }
    }

    private static boolean isClosed(Store store) {
        try {
            store.path();
            return false;
        } catch (StoreClosedException e) {
            return true;
        }
    }

    @Tag("slow")
    @Promise(4)
    @Test
    void writersDoNotWaitForABackupAndTheLogGivesItsRoomBack() throws Exception {
        Path wal = file.resolveSibling("store.db-wal");
        long limit = 1024 * 1024;
        try (Store store = Store.builder()
                        .engine(Sqlite.file(file).walLimit(limit))
                        .open();
                LogRecorder log = new LogRecorder(Checkpointer.class.getName(), Level.WARN)) {
            fill(store);
            assertThat(during(store, thread -> {
                        fill(store);
                        assertThat(Files.size(wal)).isGreaterThan(4 * limit);
                    }))
                    .isNull();
            assertThat(log.messages()).isEmpty(); // no writer has tried to checkpoint the log
            Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> {
                newVersion(store);
                return Files.size(wal) <= 2 * limit;
            });
        }
    }
}
