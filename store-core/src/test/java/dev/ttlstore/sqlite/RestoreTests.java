package dev.ttlstore.sqlite;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.SQLException;
import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import dev.ttlstore.Store;
import dev.ttlstore.contract.Promise;
import dev.ttlstore.exception.StoreException;
import dev.ttlstore.exception.StorePathException;

import static dev.ttlstore.contract.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** Backups that a store is restored from because its file is missing. */
@Promise({9, 20, 21})
@Timeout(120)
class RestoreTests extends BackedUpFile {

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
