package dev.ttlstore.spring.diagnostics;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Arrays;
import java.util.List;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import com.google.crypto.tink.Aead;

import dev.ttlstore.Store;
import dev.ttlstore.spring.Java;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

/** What a user reads when the application does not start because its values cannot be encrypted. */
@Tag("variant")
@ExtendWith(OutputCaptureExtension.class)
class EncryptionFailureAnalysisTests {

    private static final String GROUPS = "--store.encryption.groups=secrets";

    @TempDir
    private Path folder;

    private FailingStart start() {
        return FailingStart.at(store()).with(GROUPS);
    }

    private Path store() {
        return folder.resolve("store.db");
    }

    private Path keyset() {
        return folder.resolve("keys").resolve("keyset.json");
    }

    private String location() {
        return "--store.encryption.keyset=file:" + keyset();
    }

    @Test
    void aKeysetThatIsNotNamedIsToldWithThePropertiesThatNameAndMakeOne(CapturedOutput output) {
        start().run();
        Report report = Report.in(output);
        assertThat(report.description()).contains("'store.encryption.groups'", "no keyset");
        assertThat(report.action())
                .contains("'store.encryption.keyset'", "'store.encryption.create-keyset=true'", "ValueCipher bean");
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void aKeysetThatIsMissingIsToldWithHowToPutItBackOrMakeOne(CapturedOutput output) {
        start().with(location()).run();
        Report report = Report.in(output);
        assertThat(report.description()).isEqualTo("The keyset " + keyset() + " does not exist.");
        assertThat(report.action())
                .contains("'store.encryption.keyset'", "restore it", "'store.encryption.create-keyset=true'");
        assertThat(folder).isEmptyDirectory();
    }

    private FailingStart creating() {
        return start().with(location()).with("--store.encryption.create-keyset=true");
    }

    private void assertToldAndNoKeysetLeft(CapturedOutput output, String description, String action) {
        Report report = Report.in(output);
        assertThat(report.description()).startsWith(description);
        assertThat(report.action()).contains(action);
        assertThat(keyset().getParent()).doesNotExist();
    }

    @Test
    void aKeysetThatWouldNotOpenWhatIsThereIsToldWithTheStoreAGroupAndEachWayOut(CapturedOutput output) {
        try (Store store = Store.open(store())) {
            store.group("secrets").put("key", "value");
        }
        creating().run();
        assertToldAndNoKeysetLeft(
                output, "The keyset " + keyset() + " does not exist", "start once without 'store.encryption.groups'");
        assertThat(Report.in(output).description()).contains("the store " + store(), "'secrets'");
        assertThat(Report.in(output).action()).contains("restore it", "'store.encryption.read-plain=true'");
    }

    @Test
    void aStoreOfAnotherProcessIsToldAsWhenItIsOpenedBeforeAKeysetIsMade(CapturedOutput output) throws IOException {
        try (StoreHolder holder = StoreHolder.of(store())) {
            creating().run();
            assertToldAndNoKeysetLeft(
                    output, "The store " + store() + " is in use by process " + holder.pid(), "'store.lock-timeout'");
        }
    }

    @Test
    void aStoreOfANewerVersionIsToldAsWhenItIsOpenedBeforeAKeysetIsMade(CapturedOutput output) throws SQLException {
        Store.open(store()).close();
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + store());
                Statement statement = connection.createStatement()) {
            statement.execute("PRAGMA user_version = 99");
        }
        creating().run();
        assertToldAndNoKeysetLeft(
                output, "The store " + store() + " was written by a newer version", "Run that version or a later one");
    }

    @Test
    void aDamagedStoreIsToldAsWhenItIsOpenedBeforeAKeysetIsMade(CapturedOutput output) throws IOException {
        Store.open(store()).close();
        byte[] bytes = Files.readAllBytes(store());
        Arrays.fill(bytes, 4_096, bytes.length, (byte) 0xFF);
        Files.write(store(), bytes);
        creating().run();
        assertToldAndNoKeysetLeft(output, "The store " + store() + " is damaged", "restore a backup");
    }

    @Test
    void aKeysetThatIsNoneIsToldWithWhatOneIs(CapturedOutput output) throws IOException {
        Files.createDirectories(keyset().getParent());
        Files.writeString(keyset(), "s3cr3t");
        creating().run();
        Report report = Report.in(output);
        assertThat(report.description())
                .startsWith("The keyset " + keyset() + " is not an unencrypted Tink keyset in JSON")
                .doesNotContain("s3cr3t");
        assertThat(report.action()).contains("Restore a copy of the keyset that the values were encrypted with");
        assertThat(output).doesNotContain("s3cr3t");
        assertThat(folder.resolve("store.db")).doesNotExist();
    }

    @Test
    void aKeysetThatCannotBeMadeIsToldWithWhatToCheck(CapturedOutput output) throws IOException {
        Files.writeString(folder.resolve("keys"), "no folder");
        creating().run();
        Report report = Report.in(output);
        assertThat(report.description()).startsWith("The keyset " + keyset() + " cannot be written");
        assertThat(report.action()).contains("this user may write to it");
        assertThat(folder.resolve("store.db")).doesNotExist();
    }

    @Test
    void encryptionWithoutTinkIsToldWithItsDependency(CapturedOutput output) {
        creating().without(Aead.class).run();
        Report report = Report.in(output);
        assertThat(report.description()).contains("'store.encryption.groups'", "Tink", "not on the class path.");
        assertThat(report.action())
                .startsWith("Add the dependency com.google.crypto.tink:tink in version 1.")
                .contains("ValueCipher bean");
        assertThat(folder).isEmptyDirectory();
    }

    /** It would cost every application that has no use for it. */
    @Tag("slow")
    @Test
    void nothingOfTinkIsLoadedWhereNothingIsEncrypted() throws IOException {
        assertThat(classesLoaded()).contains("dev.ttlstore.Store ").doesNotContain("com.google.crypto.tink.");
        assertThat(classesLoaded(GROUPS, location(), "--store.encryption.create-keyset=true"))
                .contains("com.google.crypto.tink.");
    }

    private String classesLoaded(String... arguments) throws IOException {
        String[] all = Arrays.copyOf(arguments, arguments.length + 1);
        all[arguments.length] = "--store.path=" + folder.resolve("store.db");
        Process process = Java.start(List.of("-verbose:class"), FailingStart.class, all);
        return new String(process.getInputStream().readAllBytes(), UTF_8);
    }
}
