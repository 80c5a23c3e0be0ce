package dev.ttlstore.sqlite;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import dev.ttlstore.BackupResult;
import dev.ttlstore.Store;
import dev.ttlstore.StoreBuilder;
import dev.ttlstore.contract.Dump;
import dev.ttlstore.contract.MovableClock;
import dev.ttlstore.contract.Promise;
import dev.ttlstore.contract.SmallDisk;
import dev.ttlstore.exception.StoreFullException;
import dev.ttlstore.exception.StorePathException;
import dev.ttlstore.export.StoreExport;
import dev.ttlstore.export.StoreImport;

import static dev.ttlstore.contract.Assertions.assertThat;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** What a backup holds and where it is written. */
@Promise({9, 20, 21})
@Timeout(120)
class BackupTests extends BackedUpFile {

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

    @Test
    void aRootIsNoPlaceForAFile() {
        Path root = requireNonNull(folder.getRoot());
        try (Store store = open()) {
            assertThatExceptionOfType(StorePathException.class)
                    .isThrownBy(() -> store.backup(root))
                    .withMessageContaining("there is such a file");
            assertThatExceptionOfType(StorePathException.class)
                    .isThrownBy(() -> StoreExport.of(store).toFile(root))
                    .withMessageContaining("there is such a file");
            assertThatExceptionOfType(StorePathException.class)
                    .isThrownBy(() -> StoreImport.into(store).fromFile(root))
                    .withMessageContaining("not a regular file");
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
}
