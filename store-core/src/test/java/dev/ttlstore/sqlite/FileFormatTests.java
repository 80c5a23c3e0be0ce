package dev.ttlstore.sqlite;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import dev.ttlstore.Store;
import dev.ttlstore.contract.Promise;
import dev.ttlstore.exception.NewerStoreException;
import dev.ttlstore.exception.StoreException;
import dev.ttlstore.exception.StoreFormatException;

import static dev.ttlstore.contract.Assertions.assertThat;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

@Promise(21)
class FileFormatTests {

    @TempDir
    Path folder;

    private Path file = Path.of("unset");

    @BeforeEach
    void nameFile() throws IOException {
        file = folder.toRealPath().resolve("store.db");
    }

    @Test
    void aStoreCanBeToldByItsHeader() throws SQLException {
        Store.open(file).close();
        assertThat(Sql.query(file, "PRAGMA application_id")).containsExactly(String.valueOf(0x54544C53));
        assertThat(Sql.query(file, "PRAGMA user_version")).containsExactly("9");
        assertThat(Sql.query(file, "PRAGMA journal_mode")).containsExactly("wal");
        assertThat(Sql.query(file, "PRAGMA integrity_check")).containsExactly("ok");
    }

    @Test
    void aStoreOfANewerVersionIsRefusedUntouched() throws IOException, SQLException {
        try (Store store = Store.open(file)) {
            store.group("group").put("key", "value");
        }
        Sql.run(file, "PRAGMA user_version = 10");
        refusesUntouched("newer version");
        assertThatExceptionOfType(NewerStoreException.class)
                .isThrownBy(() -> Store.open(file))
                .satisfies(failure -> {
                    assertThat(failure.path()).isEqualTo(file);
                    assertThat(failure.layout()).isEqualTo(10);
                    assertThat(failure.knownLayout()).isEqualTo(9);
                });
    }

    @Test
    void aStoreOfNoKnownVersionIsRefusedUntouched() throws IOException, SQLException {
        Store.open(file).close();
        Sql.run(file, "PRAGMA user_version = 0");
        refusesUntouched("unknown layout");
    }

    @Test
    void aDatabaseOfAnotherApplicationIsRefusedUntouched() throws IOException, SQLException {
        Sql.run(file, "CREATE TABLE person (name TEXT)", "INSERT INTO person VALUES ('Ada')");
        refusesUntouched("another application");
    }

    @Test
    void aDatabaseOfAnotherApplicationInWalModeIsRefusedUntouched() throws IOException, SQLException {
        Sql.run(
                file,
                "PRAGMA journal_mode = WAL",
                "CREATE TABLE person (name TEXT)",
                "INSERT INTO person VALUES ('A')");
        refusesUntouched("another application");
    }

    @Test
    void aDatabaseOfAnotherApplicationThatIsInUseIsRefusedUntouched() throws IOException, SQLException {
        try (Connection other = DriverManager.getConnection("jdbc:sqlite:" + file);
                Statement statement = other.createStatement()) {
            statement.execute("PRAGMA journal_mode = WAL");
            statement.execute("CREATE TABLE person (name TEXT)"); // which is in its log alone
            refusesUntouched("another application");
            statement.execute("INSERT INTO person VALUES ('Ada')");
        }
        assertThat(Sql.query(file, "SELECT name FROM person")).containsExactly("Ada");
    }

    @Test
    void aDatabaseThatAnotherApplicationHasLeftInTheMiddleIsRefusedUntouched() throws IOException, SQLException {
        Path used = folder.resolve("used.db");
        try (Connection other = DriverManager.getConnection("jdbc:sqlite:" + used);
                Statement statement = other.createStatement()) {
            statement.execute("PRAGMA journal_mode = WAL");
            statement.execute("CREATE TABLE person (name TEXT)");
            Files.copy(used, file);
            Files.copy(folder.resolve("used.db-wal"), folder.resolve("store.db-wal"));
            Files.copy(folder.resolve("used.db-shm"), folder.resolve("store.db-shm"));
        }
        byte[] log = Files.readAllBytes(folder.resolve("store.db-wal"));
        refusesUntouched("another application");
        assertThat(Files.readAllBytes(folder.resolve("store.db-wal"))).isEqualTo(log);
        assertThat(Sql.query(file, "SELECT count(*) FROM person")).containsExactly("0");
    }

    @Test
    void anEmptyDatabaseWithTheIdOfAnotherApplicationIsRefusedUntouched() throws IOException, SQLException {
        Sql.run(file, "PRAGMA application_id = 42");
        refusesUntouched("another application");
    }

    @Test
    void anEmptyDatabaseWithAVersionOfItsOwnIsRefusedUntouched() throws IOException, SQLException {
        Sql.run(file, "PRAGMA user_version = 10");
        refusesUntouched("another application");
    }

    @Test
    void aDatabaseWhoseTextIsNotUtf8IsRefusedUntouched() throws IOException, SQLException {
        Sql.run(file, "PRAGMA encoding = 'UTF-16le'", "CREATE TABLE kv (grp, key, value)");
        refusesUntouched("UTF-16le");
    }

    @ParameterizedTest
    @ValueSource(strings = {"xy", "This is a text file, kept by somebody who would miss it.\n", "SQLite format 3"})
    void aTextFileIsRefusedUntouched(String text) throws IOException {
        Files.writeString(file, text.repeat(20), UTF_8);
        refusesUntouched("not a store");
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 99, 2, 99, 100, 511, 512, 4_096, 100_000})
    void randomBytesAreRefusedUntouched(int size) throws IOException {
        byte[] bytes = new byte[size];
        new Random(42).nextBytes(bytes);
        Files.write(file, bytes);
        refusesUntouched("not a store");
    }

    @Test
    @Promise({21, 23})
    void aStoreWhoseBeginningIsDamagedIsRefusedUntouched() throws IOException {
        Store.open(file).close();
        byte[] bytes = Files.readAllBytes(file);
        bytes[3] ^= 1;
        Files.write(file, bytes);
        refusesUntouched("damaged");
    }

    @Test
    void anEmptyFileBecomesAStore() throws IOException {
        Files.createFile(file);
        try (Store store = Store.open(file)) {
            store.group("group").put("key", "value");
        }
        try (Store store = Store.open(file)) {
            assertThat(store.group("group").get("key")).contains("value");
        }
    }

    @Test
    void aFolderIsRefused() throws IOException {
        Files.createDirectory(file);
        assertThatExceptionOfType(StoreException.class)
                .isThrownBy(() -> Store.open(file))
                .withMessageContaining(file.toString())
                .withMessageContaining("folder");
    }

    @Test
    void aFolderThatCannotBeMadeIsRefused() throws IOException {
        Files.createFile(folder.resolve("in the way"));
        Path below = folder.resolve("in the way").resolve("store.db");
        assertThatExceptionOfType(StoreException.class)
                .isThrownBy(() -> Store.open(below))
                .withMessageContaining(below.toString());
    }

    @Test
    void aStoreTellsItsEngineAndItsAbsolutePath() {
        try (Store store = Store.open(file);
                Store memory = Store.inMemory()) {
            assertThat(store.stats().engine()).startsWith("SQLite 3.");
            assertThat(store.stats().path()).isEqualTo(file).isEqualTo(store.path());
            assertThat(memory.stats().engine()).startsWith("SQLite 3.");
            assertThat(memory.stats().path()).isNull();
            assertThat(memory.path()).isNull();
        }
    }

    private void refusesUntouched(String reason) throws IOException {
        byte[] before = Files.readAllBytes(file);
        List<String> filesBefore = names();
        assertThatExceptionOfType(StoreFormatException.class)
                .isThrownBy(() -> Store.open(file))
                .satisfies(refusal -> assertThat(refusal.path()).isEqualTo(file))
                .withMessageContaining(file.toString())
                .withMessageContaining(reason);
        assertThat(Files.readAllBytes(file)).isEqualTo(before);
        assertThat(names()).isEqualTo(filesBefore); // a lock file would be one more
    }

    private List<String> names() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(path -> String.valueOf(path.getFileName()))
                    .sorted()
                    .toList();
        }
    }
}
