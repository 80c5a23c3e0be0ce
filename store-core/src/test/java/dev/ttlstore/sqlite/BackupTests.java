package dev.ttlstore.sqlite;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import dev.ttlstore.BackupProgress;
import dev.ttlstore.BackupResult;
import dev.ttlstore.Store;
import dev.ttlstore.StoreBuilder;
import dev.ttlstore.TextGroup;
import dev.ttlstore.contract.Dump;
import dev.ttlstore.contract.LogRecorder;
import dev.ttlstore.contract.MovableClock;
import dev.ttlstore.contract.Promise;
import dev.ttlstore.contract.SmallDisk;
import dev.ttlstore.contract.Threads;
import dev.ttlstore.exception.BackupInterruptedException;
import dev.ttlstore.exception.StoreClosedException;
import dev.ttlstore.exception.StoreException;
import dev.ttlstore.exception.StoreFullException;
import dev.ttlstore.exception.StorePathException;

import ch.qos.logback.classic.Level;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/** Backups of a store that is in use, and what is restored from them. */
@Promise({9, 20, 21})
@Timeout(120)
class BackupTests {

    private static final Duration HOUR = Duration.ofHours(1);

    @TempDir
    Path folder;

    private Path file = Path.of("unset");
    private Path backup = Path.of("unset");

    @BeforeEach
    void placeFiles() throws IOException {
        file = folder.toRealPath().resolve("store.db");
        backup = folder.toRealPath().resolve("backups").resolve("store.db.1.backup");
    }

    private Path backups() {
        return requireNonNull(backup.getParent());
    }

    private Store open() {
        return Store.open(file);
    }

    /** Fills a store with some megabytes, so that SQLite takes some looks for a copy of it. */
    private static void fill(Store store) {
        TextGroup many = store.group("many");
        for (int part = 0; part < 10; part++) {
            Map<String, String> values = new HashMap<>();
            for (int i = 0; i < 2_000; i++) {
                values.put(part + "-" + i, "x".repeat(300));
            }
            many.putAll(values);
        }
    }

    private static long newVersion(Store store) {
        return store.group("group").put("key", "value");
    }

    /** Loses the store, and puts a copy of the backup in its place. */
    private void loseAndRestore() throws IOException {
        for (String suffix : List.of("", "-wal", "-shm")) {
            Files.deleteIfExists(file.resolveSibling(file.getFileName() + suffix));
        }
        Files.copy(backup, file);
    }

    @Test
    void aBackupHasAllThatTheStoreHas() throws Exception {
        MovableClock clock = new MovableClock();
        StoreBuilder settings = Store.builder()
                .path(file)
                .clock(clock)
                .purgeInterval(Duration.ZERO)
                .expiryOnTime(false)
                .retention(Duration.ofDays(1));
        List<String> before;
        BackupResult made;
        try (Store store = settings.open()) {
            store.onExpired("mailer", "kept", String.class, expired -> {
                throw new IllegalStateException("no mail server");
            });
            store.group("kept").put("gone", "value", Duration.ofMillis(5));
            store.group("group").put("expiring", "value", HOUR);
            store.group("group").put("permanent", "ü");
            store.scope("acme").counters("counters").increment("n");
            store.group("group").put("expired", "value", Duration.ofMillis(20));
            clock.advance(Duration.ofMillis(10));
            store.purgeExpired();
            Awaitility.await().until(() -> store.expirySubscribers().get(0).failures() > 0);
            clock.advance(Duration.ofMillis(10));
            made = store.backup(backup);
        }
        before = Dump.of(Sqlite.file(file), clock);
        assertThat(made.path()).isEqualTo(backup);
        assertThat(made.bytes()).isEqualTo(Files.size(backup));
        assertThat(made.elapsed()).isPositive();
        assertThat(Dump.of(Sqlite.file(backup), clock))
                .isEqualTo(before)
                .anyMatch(line -> line.startsWith("retained"))
                .anyMatch(line -> line.startsWith("subscriber"))
                .anyMatch(line -> line.startsWith("delivery"));
    }

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

    @Test
    void aRestoredStoreUsesNoVersionThatWasUsedAfterTheBackup() throws Exception {
        try (Store store = open()) {
            newVersion(store);
            store.backup(backup);
            IntStream.range(0, 20_001).forEach(i -> newVersion(store));
        }
        long lost;
        try (Store store = open()) {
            lost = newVersion(store);
        }
        loseAndRestore();
        long again;
        try (Store store = open()) {
            again = newVersion(store);
            assertThat(again).isGreaterThan(lost);
            IntStream.range(0, 100).forEach(i -> newVersion(store));
        }
        try (Store store = open()) { // an ordinary store now
            assertThat(newVersion(store)).isGreaterThan(again).isLessThan(again + 50_000);
        }
        loseAndRestore();
        try (Store store = open()) {
            assertThat(newVersion(store)).isGreaterThan(again + 101);
        }
    }

    /** The first restoration has put the sequence ahead of the time, for more than an hour. */
    @Test
    void aBackupOfARestoredStoreThatIsRestoredTwiceUsesNoVersionTwice() throws Exception {
        try (Store store = open()) {
            store.group("group").put("key", "value");
            store.backup(backup);
        }
        loseAndRestore();
        Files.delete(backup);
        try (Store store = open()) {
            store.backup(backup);
        }
        Set<Long> versions = new HashSet<>();
        for (int restoration = 0; restoration < 10; restoration++) {
            loseAndRestore();
            try (Store store = open()) {
                assertThat(versions.add(newVersion(store))).isTrue();
            }
        }
    }

    @Test
    void aClockThatIsWrongDoesNotLeadToTheSameVersions() throws Exception {
        try (Store store = open()) {
            store.backup(backup);
        }
        long lost;
        try (Store store = open()) {
            lost = newVersion(store);
        }
        loseAndRestore();
        try (Store store = Store.builder()
                .path(file)
                .clock(InstantSource.fixed(Instant.EPOCH))
                .open()) {
            assertThat(newVersion(store)).isGreaterThan(lost + 1_000_000_000L);
        }
    }

    @Test
    void aBackupIsReadableByItsOwnerOnlyAndReplacesNothing() throws Exception {
        try (Store store = open()) {
            newVersion(store);
            store.backup(backup);
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(backup)))
                    .isEqualTo("rw-------");
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(backups())))
                    .isEqualTo("rwx------");
            byte[] content = Files.readAllBytes(backup);
            newVersion(store);
            assertThatExceptionOfType(StorePathException.class)
                    .isThrownBy(() -> store.backup(backup))
                    .withMessageContaining(backup.toString())
                    .withMessageContaining("a name of its own");
            assertThatExceptionOfType(StorePathException.class).isThrownBy(() -> store.backup(file));
            assertThat(Files.readAllBytes(backup)).isEqualTo(content);
            assertThat(store.group("group").get("key")).contains("value");
        }
        assertThat(filesOf(backups())).containsExactly(backup.getFileName().toString());
    }

    private static List<String> filesOf(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(each -> each.getFileName().toString()).sorted().toList();
        }
    }

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
                    .isInstanceOf(BackupInterruptedException.class)
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

    @Test
    void aStoreInMemoryHasNoBackup() {
        try (Store store = Store.inMemory()) {
            assertThatExceptionOfType(UnsupportedOperationException.class)
                    .isThrownBy(() -> store.backup(backup))
                    .withMessageContaining("give it a path");
        }
    }

    @Promise(23)
    @Test
    void aFullDiskIsReportedAndLeavesNothingOfTheBackup() throws Exception {
        try (SmallDisk disk = SmallDisk.inMemory(folder, 2);
                Store store = open()) {
            fill(store);
            backup = disk.file("store.db.1.backup");
            assertThatExceptionOfType(StoreFullException.class)
                    .isThrownBy(() -> store.backup(backup))
                    .withMessageContaining("backup")
                    .withMessageContaining(backup.toString());
            assertThat(filesOf(backups())).isEmpty();
            assertThat(newVersion(store)).isPositive();
        }
    }

    @Test
    void aFolderThatCannotBeMadeIsReported() throws IOException {
        Files.writeString(backups(), "a file");
        try (Store store = open()) {
            assertThatExceptionOfType(StorePathException.class)
                    .isThrownBy(() -> store.backup(backup))
                    .withMessageContaining("cannot be written");
        }
    }

    private Store openOrRestore(Path from) {
        return Store.builder().engine(Sqlite.file(file).restoreFrom(from)).open();
    }

    private void deleteStore() throws IOException {
        Files.delete(file);
    }

    @Test
    void aMissingFileIsRestoredFromTheNewestBackup() throws Exception {
        try (Store store = openOrRestore(backups())) { // there is none yet
            assertThat(store.groups()).isEmpty();
            for (int i = 1; i <= 3; i++) {
                store.group("group").put("key", "backup " + i);
                store.backup(backups().resolve("store.db.2026-11-0" + i + ".backup"));
            }
            store.group("group").put("key", "later");
        }
        Files.writeString(backups().resolve("store.db.2026-11-04.backup.partial"), "not complete");
        Files.writeString(backups().resolve("other.db.2026-11-05.backup"), "of another store");
        try (Store store = openOrRestore(backups())) {
            assertThat(store.group("group").get("key")).contains("later");
        }
        deleteStore();
        long version;
        try (Store store = openOrRestore(backups())) {
            assertThat(store.group("group").get("key")).contains("backup 3");
            version = newVersion(store);
        }
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
        deleteStore();
        try (Store store = openOrRestore(backups().resolve("store.db.2026-11-01.backup"))) {
            assertThat(store.group("group").get("key")).contains("backup 1");
            assertThat(newVersion(store)).isGreaterThan(version);
        }
        assertThat(filesOf(folder)).noneMatch(name -> name.endsWith(".partial"));
    }

    @Test
    void aBackupThatWasOpenedSinceIsStillABackup() throws Exception {
        try (Store store = open()) {
            newVersion(store);
            store.backup(backup);
        }
        long lost;
        try (Store store = Store.open(backup)) {
            lost = newVersion(store);
        }
        deleteStore();
        try (Store store = openOrRestore(backup)) {
            assertThat(newVersion(store)).isGreaterThan(lost);
        }
    }

    @Test
    void theLogOfALostFileIsNotAppliedToAnotherOne() throws Exception {
        try (Store store = open()) {
            newVersion(store);
            store.backup(backup);
        }
        deleteStore();
        Path log = Files.writeString(file.resolveSibling("store.db-wal"), "of the lost file");
        assertThatExceptionOfType(StorePathException.class)
                .isThrownBy(() -> openOrRestore(backup))
                .withMessageContaining(log.toString());
        assertThat(file).doesNotExist();
        assertThat(log).exists();
    }

    @Test
    void aDamagedOrForeignBackupIsRefusedAndTheFileStaysMissing() throws Exception {
        try (Store store = open()) {
            fill(store);
            store.backup(backup);
        }
        deleteStore();
        byte[] content = Files.readAllBytes(backup);
        for (int i = 0; i < 4_096; i++) {
            content[content.length / 2 / 4_096 * 4_096 + i] = (byte) 0xA5;
        }
        Path damaged = Files.write(backup.resolveSibling("damaged"), content);
        assertThatExceptionOfType(StoreException.class)
                .isThrownBy(() -> openOrRestore(damaged))
                .withMessageContaining(damaged.toString())
                .withMessageContaining("Restore another backup");
        Path foreign = backup.resolveSibling("foreign");
        Sql.run(foreign, "CREATE TABLE t (x)");
        Path text = Files.writeString(backup.resolveSibling("text"), "no database, but long enough. ".repeat(100));
        for (Path each : List.of(foreign, text)) {
            assertThatExceptionOfType(StoreException.class)
                    .isThrownBy(() -> openOrRestore(each))
                    .withMessageContaining(each.toString());
        }
        assertThat(file).doesNotExist();
        try (Store store = openOrRestore(backup)) {
            assertThat(store.group("many").count()).isEqualTo(20_000);
        }
    }

    @Test
    void aBackupFromANewerVersionIsRefused() throws IOException, SQLException {
        try (Store store = open()) {
            store.backup(backup);
        }
        deleteStore();
        Sql.run(backup, "PRAGMA user_version = 99");
        assertThatExceptionOfType(StoreException.class)
                .isThrownBy(() -> openOrRestore(backup))
                .withMessageContaining("99");
        assertThat(file).doesNotExist();
    }
}
