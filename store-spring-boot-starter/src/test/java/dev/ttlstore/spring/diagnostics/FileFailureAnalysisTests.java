package dev.ttlstore.spring.diagnostics;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import dev.ttlstore.Store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

/** What a user reads when the application does not start because of the store's file. */
@ExtendWith(OutputCaptureExtension.class)
class FileFailureAnalysisTests {

    @TempDir
    private Path folder;

    private Path file = Path.of("unset");

    @BeforeEach
    void nameFile() throws IOException {
        file = folder.toRealPath().resolve("store.db");
    }

    @Test
    void aFileOfAnotherProcessIsToldWithThatProcessAndHowToStopOrWaitForIt(CapturedOutput output) throws IOException {
        try (StoreHolder holder = StoreHolder.of(file)) {
            FailingStart.at(file).run();
            Report report = Report.in(output);
            assertThat(report.description()).startsWith("The store " + file + " is in use by process " + holder.pid());
            assertThat(report.action())
                    .contains("Stop the other process", "'store.path'", "'store.lock-timeout'")
                    .doesNotContain("Test contexts");
        }
    }

    @Test
    void aFileOfAnotherContextInTheProcessIsToldWithHowToGiveEachItsOwn(CapturedOutput output) {
        try (Store holder = Store.open(file)) {
            FailingStart.at(file).run();
            assertThat(holder.count()).isZero();
        }
        Report report = Report.in(output);
        assertThat(report.description())
                .startsWith("The store " + file + " is in use by another store of this same process");
        assertThat(report.action())
                .contains("Close the other store", "'store.path'", "'store.path=target/store-${random.uuid}.db'");
    }

    @Test
    void aTextFileIsToldToBeNoStore(CapturedOutput output) throws IOException {
        Files.writeString(file, "not a database, but long enough to have a first page".repeat(100));
        FailingStart.at(file).run();
        Report report = Report.in(output);
        assertThat(report.description())
                .startsWith("The file " + file + " is not a store")
                .endsWith("it has not been touched.");
        assertThat(report.action()).contains("Give the store a path of its own, or restore a backup.", "'store.path'");
    }

    @Test
    void theDatabaseOfAnotherApplicationIsToldToBeNoStore(CapturedOutput output) throws SQLException {
        run("CREATE TABLE person (name TEXT)");
        FailingStart.at(file).run();
        Report report = Report.in(output);
        assertThat(report.description())
                .startsWith("The file " + file + " is an SQLite database of another application");
        assertThat(report.action()).contains("Give the store a path of its own.", "'store.path'");
    }

    @Test
    void aStoreOfANewerVersionIsToldWithBothLayouts(CapturedOutput output) throws SQLException {
        Store.open(file).close();
        run("PRAGMA user_version = 99");
        FailingStart.at(file).run();
        Report report = Report.in(output);
        assertThat(report.description())
                .startsWith("The store " + file + " was written by a newer version of TTL Store")
                .contains("its layout is 99");
        assertThat(report.action()).contains("Run that version or a later one", "backup", "'store.path'");
    }

    @Test
    void aFolderThatMayNotBeWrittenIsToldWithWhatToCheck(CapturedOutput output) throws IOException {
        Path closed = Files.createDirectory(folder.toRealPath().resolve("closed"));
        Files.setPosixFilePermissions(closed, PosixFilePermissions.fromString("r-x------"));
        try {
            assumeFalse(Files.isWritable(closed), "this user may write everywhere");
            FailingStart.at(closed.resolve("store.db")).run();
            Report report = Report.in(output);
            assertThat(report.description())
                    .startsWith("The store " + closed.resolve("store.db") + " cannot be opened: AccessDenied");
            assertThat(report.action()).contains("this user may write in it.", "'store.path'");
        } finally {
            Files.setPosixFilePermissions(closed, PosixFilePermissions.fromString("rwx------"));
        }
    }

    @Test
    void aFolderThatCannotBeMadeIsToldWithWhatToCheck(CapturedOutput output) throws IOException {
        Path below = Files.createFile(file).resolve("data").resolve("store.db");
        FailingStart.at(below).run();
        Report report = Report.in(output);
        assertThat(report.description()).startsWith("The store " + below + " cannot be opened: ");
        assertThat(report.action())
                .contains("Check that its folder exists or can be made, and that this user may write in it.")
                .contains("'store.path'");
    }

    @Test
    void aFolderInPlaceOfTheFileIsToldWithWhatToName(CapturedOutput output) {
        FailingStart.at(folder).run();
        Report report = Report.in(output);
        assertThat(report.description()).isEqualTo("The store " + folder + " cannot be opened: it is a folder.");
        assertThat(report.action()).contains("Name a file in it.", "'store.path'");
    }

    private void run(String sql) throws SQLException {
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file);
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
