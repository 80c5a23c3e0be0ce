package dev.ttlstore.sqlite;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipal;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import dev.ttlstore.Store;
import dev.ttlstore.contract.FileOwners;
import dev.ttlstore.contract.Promise;
import dev.ttlstore.contract.Threads;
import dev.ttlstore.exception.StoreInterruptedException;
import dev.ttlstore.exception.StorePathException;

import static dev.ttlstore.contract.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** Files that are created beside a store, or instead of one: who can read them at each moment, and what they leave alone. */
@Promise(20)
@Timeout(60)
@DisabledOnOs(OS.WINDOWS)
class CreatedFilesTests extends BackedUpFile {

    @AfterEach
    void forgetTheInterrupt() {
        Thread.interrupted();
    }

    private Store openOrRestore() {
        return Store.builder().engine(Sqlite.file(file).restoreFrom(backup)).open();
    }

    private void backUpAndLose(int megabytes) throws IOException {
        try (Store store = open()) {
            for (int i = 0; i < megabytes; i++) {
                store.group("many").put("key " + i, "x".repeat(1_000_000));
            }
            store.backup(backup);
        }
        Files.delete(file);
    }

    private Path beside(String suffix) {
        return file.resolveSibling(file.getFileName() + suffix);
    }

    private static String permissions(Path path) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
    }

    /** What another user of the machine sees who looks again and again. */
    private Future<Set<String>> watch(CountDownLatch begun, AtomicBoolean over) {
        return Threads.start(thread -> {
            Set<String> seen = new TreeSet<>();
            int missed = 0; // files that were deleted between two looks
            while (!over.get()) {
                try (Stream<Path> files = Files.list(folder)) {
                    for (Path each : files.filter(Files::isRegularFile).toList()) {
                        seen.add(permissions(each));
                    }
                } catch (NoSuchFileException e) {
                    missed++;
                }
                begun.countDown();
            }
            assertThat(missed).isNotNegative();
            return seen;
        });
    }

    @Test
    void nobodyElseCanReadAStoreWhileItIsRestoredFromABackupThatAllMayRead() throws Exception {
        backUpAndLose(32); // takes some looks to copy
        Files.setPosixFilePermissions(backup, PosixFilePermissions.fromString("rw-r--r--"));
        CountDownLatch begun = new CountDownLatch(1);
        AtomicBoolean over = new AtomicBoolean();
        Future<Set<String>> seen = watch(begun, over);
        Threads.await(begun);
        try (Store store = openOrRestore()) {
            assertThat(store.group("many").count()).isEqualTo(32);
        } finally {
            over.set(true);
        }
        assertThat(Threads.get(seen)).containsExactly("rw-------");
    }

    @Test
    void anIncompleteFileIsNotReadableWhateverItIsFilledWith() throws IOException {
        Path source = Files.writeString(folder.resolve("source"), "text");
        Files.setPosixFilePermissions(source, PosixFilePermissions.fromString("rw-r--r--"));
        try (PartialFile partial = PartialFile.of(file, file)) {
            partial.copyFrom(source);
            assertThat(permissions(partial.path())).isEqualTo("rw-------");
            partial.publish();
        }
        assertThat(file).hasContent("text");
        assertThat(permissions(file)).isEqualTo("rw-------");
        assertThat(filesOf(folder)).containsExactly("source", "store.db");
    }

    @Test
    void aRestoreLeavesFilesOfOthersAlone() throws IOException {
        backUpAndLose(1);
        Path other = Files.writeString(beside(".partial"), "of somebody else");
        openOrRestore().close();
        assertThat(other).hasContent("of somebody else");
    }

    @Test
    @Promise({20, 23})
    void whatAKilledRestoreHasLeftIsRemovedWhenTheStoreIsOpened() throws IOException {
        Path left = Files.writeString(beside("." + UUID.randomUUID() + ".partial"), "entries");
        Path log = Files.writeString(left.resolveSibling(left.getFileName() + "-journal"), "entries");
        Path other = Files.writeString(folder.resolve("other.db." + UUID.randomUUID() + ".partial"), "entries");
        open().close();
        assertThat(left).doesNotExist();
        assertThat(log).doesNotExist();
        assertThat(other).exists();
    }

    @Test
    @Promise({20, 23})
    void whatAKilledBackupHasLeftIsRemovedByALaterOne() throws IOException {
        Files.createDirectories(backups());
        Path killed = Files.writeString(backups().resolve("b." + UUID.randomUUID() + ".partial"), "entries");
        Path running = Files.writeString(backups().resolve("b." + UUID.randomUUID() + ".partial"), "entries");
        Path other = Files.writeString(backups().resolve("b.partial"), "of somebody else");
        for (Path each : List.of(killed, other)) {
            Files.setLastModifiedTime(each, FileTime.from(Instant.now().minus(Duration.ofHours(2))));
        }
        try (Store store = open()) {
            store.backup(backup);
        }
        assertThat(killed).doesNotExist();
        assertThat(running).exists();
        assertThat(other).exists();
    }

    @ParameterizedTest
    @ValueSource(strings = {".lock", "-wal", "-shm", "-journal"})
    void aSecondNameOfAnotherFileBesideTheStoreIsNotWrittenTo(String suffix) throws IOException {
        Path precious = Files.writeString(folder.resolve("precious"), "text");
        Files.setPosixFilePermissions(precious, PosixFilePermissions.fromString("rw-r--r--"));
        Files.createLink(beside(suffix), precious);
        assertThatExceptionOfType(StorePathException.class)
                .isThrownBy(this::open)
                .withMessageContaining(beside(suffix).toString())
                .withMessageContaining("second name");
        assertThat(precious).hasContent("text");
        assertThat(permissions(precious)).isEqualTo("rw-r--r--");
        Files.delete(beside(suffix));
        open().close();
    }

    @Test
    void aLockFileThatAnotherProcessCreatesAtTheSameMomentIsUsedUnlessItIsALink() throws IOException {
        Path lock = beside(".lock");
        FileOwnership ownership = FileOwnership.claim(file, Duration.ZERO, () -> Files.createFile(lock));
        ownership.requireStillHeld();
        ownership.close();
        Files.delete(lock);
        Path precious = Files.writeString(folder.resolve("precious"), "text");
        assertThatExceptionOfType(StorePathException.class)
                .isThrownBy(() -> FileOwnership.claim(file, Duration.ZERO, () -> Files.createLink(lock, precious)));
        assertThat(precious).hasContent("text");
    }

    @Test
    void aReserveThatIsASecondNameOfAnotherFileIsNotUsed() throws IOException {
        Path precious = Files.writeString(folder.resolve("precious"), "text");
        Files.setPosixFilePermissions(precious, PosixFilePermissions.fromString("rw-r--r--"));
        Files.createLink(beside(".reserve"), precious);
        try (Store store = open()) {
            store.group("group").put("key", "value");
        }
        assertThat(precious).hasContent("text");
        assertThat(permissions(precious)).isEqualTo("rw-r--r--");
    }

    /** As an administrator who checks a store before its application has ever run here. */
    @Test
    void whatAnAdministratorCreatesBesideAStoreBelongsToItsOwner() throws IOException {
        open().close();
        Files.delete(beside(".lock"));
        Files.delete(beside(".reserve"));
        UserPrincipal owner = FileOwners.giveAway(file);
        try (Store store = open()) {
            store.group("group").put("key", "value");
            for (String suffix : List.of(".lock", ".reserve", "-wal")) {
                assertThat(Files.getOwner(beside(suffix))).isEqualTo(owner);
            }
        }
    }

    /** Who has made it may have kept it open, so new permissions would come too late. */
    @ParameterizedTest
    @ValueSource(strings = {"-wal", "-shm", "-journal"})
    void aLogOfAnotherUserIsNotWrittenTo(String suffix) throws IOException {
        open().close();
        Path log = Files.createFile(beside(suffix));
        FileOwners.giveAway(log);
        assertThatExceptionOfType(StorePathException.class)
                .isThrownBy(this::open)
                .withMessageContaining(log.toString())
                .withMessageContaining("another user");
        assertThat(log).isEmptyFile();
        Files.delete(file);
        assertThatExceptionOfType(StorePathException.class).isThrownBy(this::open);
        Files.delete(log);
        open().close();
    }

    @Test
    void anAdministratorUsesTheLogOfTheOwnerOfTheStore() throws IOException {
        open().close();
        FileOwners.giveAway(Files.createFile(beside("-wal")));
        FileOwners.giveAway(file);
        open().close();
    }

    @Test
    void aRepairGivesTheNewFileToTheOwnerOfTheDamagedOne() throws Exception {
        try (Store store = open()) {
            store.group("group").put("key", "value");
        }
        Sql.run(file, "DROP INDEX entry_due");
        UserPrincipal owner = FileOwners.giveAway(file);
        assertThat(Sqlite.file(file).repair(progress -> {}).original()).isNotNull();
        assertThat(Files.getOwner(file)).isEqualTo(owner);
        assertThat(permissions(file)).isEqualTo("rw-------");
    }

    /** Somebody who may create files in the folder, but not replace those of others, prepares the end of a repair. */
    @Test
    void aFinishedRepairOfAnotherUserDoesNotBecomeTheStore() throws IOException {
        try (Store store = open()) {
            store.group("group").put("key", "value");
        }
        Path ready = Files.writeString(beside(".repaired.ready"), "forged");
        Files.setLastModifiedTime(ready, FileTime.from(Instant.parse("2026-01-31T12:00:00Z")));
        Files.copy(file, beside(".2026-01-31T120000Z.damaged"));
        FileOwners.giveAway(ready);
        try (Store store = open()) {
            assertThat(store.group("group").get("key")).contains("value");
        }
    }

    /** In a folder where it may not be deleted, it would keep the store from being created. */
    @Test
    void aFinishedRepairOfAnotherUserIsLeftAloneWhereThereIsNoStoreYet() throws IOException {
        Path ready = Files.writeString(beside(".repaired.ready"), "forged");
        FileOwners.giveAway(ready);
        open().close();
        assertThat(ready).hasContent("forged");
    }

    @Test
    @Promise({20, 23})
    void aDeviceOrAPipeIsNoBackup() throws Exception {
        Path pipe = folder.resolve("pipe");
        Process made = new ProcessBuilder("mkfifo", pipe.toString()).start();
        assertThat(made.waitFor()).isZero();
        for (Path each : List.of(Path.of("/dev/zero"), pipe)) {
            backup = each;
            assertThatExceptionOfType(StorePathException.class)
                    .isThrownBy(this::openOrRestore)
                    .withMessageContaining("not a regular file");
        }
        assertThat(Files.exists(file, LinkOption.NOFOLLOW_LINKS)).isFalse();
    }

    @Test
    @Promise({20, 23})
    void anInterruptFailsNoRestore() throws IOException {
        backUpAndLose(1);
        Thread.currentThread().interrupt();
        try (Store store = openOrRestore()) {
            assertThat(store.group("many").count()).isEqualTo(1);
        }
        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    @Promise({20, 23})
    void anInterruptFailsNoMigration() throws Exception {
        Sql.run(
                file,
                "CREATE TABLE kv (grp TEXT, key TEXT, value TEXT)",
                "INSERT INTO kv VALUES ('group', 'key', 'value')");
        Thread.currentThread().interrupt();
        try (Store store = Store.builder()
                .engine(Sqlite.file(file).copyBeforeMigration(true))
                .open()) {
            assertThat(store.group("group").get("key")).contains("value");
        }
        assertThat(Thread.interrupted()).isTrue();
        assertThat(beside(".kv")).exists();
    }

    @Test
    @Promise({20, 23})
    void anInterruptAtTheEndOfABackupEndsItAndIsNamed() throws Exception {
        try (Store store = open()) {
            newVersion(store);
            assertThatExceptionOfType(StoreInterruptedException.class)
                    .isThrownBy(() -> store.backup(backup, progress -> {
                        if (progress.bytes() == progress.total()) {
                            Thread.currentThread().interrupt();
                        }
                    }));
            assertThat(Thread.interrupted()).isTrue();
            assertThat(filesOf(backups())).isEmpty();
            store.backup(backup);
        }
    }
}
