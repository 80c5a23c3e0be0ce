package dev.ttlstore.sqlite;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipal;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import dev.ttlstore.Store;
import dev.ttlstore.contract.FileOwners;
import dev.ttlstore.contract.Promise;
import dev.ttlstore.exception.StoreException;
import dev.ttlstore.exception.StoreFormatException;

import static dev.ttlstore.contract.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

@Promise({20, 21})
class MigrationCopyTests {

    private static final String KV =
            "CREATE TABLE kv (grp TEXT, key TEXT, value TEXT, expires_at INTEGER, PRIMARY KEY (grp, key))";

    @TempDir
    Path folder;

    private Path file = Path.of("unset");

    @BeforeEach
    void writeOlderFile() throws IOException, SQLException {
        file = folder.toRealPath().resolve("store's.db");
        Sql.run(file, KV, "INSERT INTO kv VALUES ('group', 'key', 'value', NULL)");
    }

    private Store open() {
        return Store.builder()
                .engine(Sqlite.file(file).copyBeforeMigration(true))
                .open();
    }

    private Path beside(String end) {
        return file.resolveSibling(file.getFileName() + end);
    }

    @Test
    void anOlderFileIsCopiedBeforeItIsTakenOver() throws IOException, SQLException {
        try (Store store = open()) {
            assertThat(store.group("group").get("key")).contains("value");
        }
        Path copy = beside(".kv");
        assertThat(Sql.query(copy, "SELECT value FROM kv")).containsExactly("value");
        assertThat(Sql.query(copy, "PRAGMA integrity_check")).containsExactly("ok");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(copy)))
                .isEqualTo("rw-------");
        assertThat(file.getParent()).isDirectoryNotContaining("glob:**.partial*");
    }

    @Test
    void theCopyBelongsToTheOwnerOfTheFile() throws IOException {
        UserPrincipal owner = FileOwners.giveAway(file);
        open().close();
        assertThat(Files.getOwner(beside(".kv"))).isEqualTo(owner);
    }

    @Test
    void aStoreOfTheCurrentLayoutIsNotCopied() throws IOException {
        open().close();
        Files.delete(beside(".kv"));
        open().close();
        try (var files = Files.list(file.getParent())) {
            assertThat(files.map(path -> path.getFileName().toString()))
                    .noneMatch(name -> name.contains(".kv") || name.contains(".layout"));
        }
    }

    @Test
    void aStoreOfAnEarlierLayoutIsCopiedUnderItsNumber() throws SQLException {
        open().close();
        DamagedFile.makeEarlier(file);
        try (Store store = open()) {
            assertThat(store.group("group").get("key")).contains("value");
        }
        Path copy = beside(".layout-" + (Layouts.SEALED - 1));
        assertThat(Sql.query(copy, "PRAGMA user_version")).containsExactly(String.valueOf(Layouts.SEALED - 1));
        assertThat(Sql.query(copy, "SELECT value FROM entry")).hasSize(1);
    }

    @Test
    void aCopyOfAnEarlierAttemptIsReplaced() throws IOException, SQLException {
        Files.writeString(beside(".kv"), "older");
        Path killed = Files.writeString(beside(".kv." + UUID.randomUUID() + ".partial"), "incomplete");
        Files.setLastModifiedTime(killed, FileTime.from(Instant.now().minus(Duration.ofHours(2))));
        Path other = Files.writeString(beside(".kv.tmp"), "of somebody else");
        open().close();
        assertThat(Sql.query(beside(".kv"), "SELECT value FROM kv")).containsExactly("value");
        assertThat(killed).doesNotExist();
        assertThat(other).hasContent("of somebody else");
    }

    @Test
    void withoutACopyNothingIsMigrated() throws IOException, SQLException {
        Files.createDirectories(beside(".kv").resolve("in the way"));
        assertThatExceptionOfType(StoreException.class)
                .isThrownBy(this::open)
                .withMessageContaining("copyBeforeMigration")
                .isNotInstanceOf(StoreFormatException.class);
        assertThat(Sql.query(file, "SELECT value FROM kv")).containsExactly("value");
        assertThat(file.getParent()).isDirectoryNotContaining("glob:**.partial*");
    }

    @Test
    void byDefaultThereIsNoCopy() {
        Store.open(file).close();
        assertThat(beside(".kv")).doesNotExist();
    }
}
