package dev.ttlstore.sqlite;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import dev.ttlstore.Store;
import dev.ttlstore.StoreBuilder;
import dev.ttlstore.TextGroup;
import dev.ttlstore.contract.AesGcm;
import dev.ttlstore.contract.MovableClock;
import dev.ttlstore.contract.SealedStoreContract;
import dev.ttlstore.event.Subscription;
import dev.ttlstore.exception.SealedValueException;

import static dev.ttlstore.contract.Assertions.assertThat;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** What there is to be found in the file of a store with encrypted groups. */
@Tag("variant")
class EncryptedFileTests extends SealedStoreContract {

    private static final String MARKER = "the launch code is 0000";

    /** Who changes a file on purpose can change its checksums as well. */
    private static final String WITHOUT_CHECKSUMS = "UPDATE entry SET checksum = NULL";

    @TempDir
    Path folder;

    private final MovableClock clock = new MovableClock();

    @Override
    protected StoreBuilder builder() {
        return Store.builder().path(file());
    }

    private Path file() {
        return folder.resolve("store.db");
    }

    private Store open(int secret) {
        return builder()
                .clock(clock)
                .purgeInterval(Duration.ZERO)
                .retention(Duration.ofHours(1))
                .encrypt(group -> group.equals("secrets") || group.endsWith(":secrets"), new AesGcm(secret))
                .open();
    }

    private static final class Failing {

        private static void handle() {
            throw new IllegalStateException("on purpose");
        }
    }

    @Test
    void noValueIsToBeFoundInTheFileOrItsLogWhereverItWent() throws IOException {
        try (Store store = open(1)) {
            Subscription subscription = store.onExpired("mail", "secrets", entry -> Failing.handle());
            TextGroup secrets = store.group("secrets");
            secrets.put("living", MARKER);
            secrets.put("ending", MARKER, Duration.ofMillis(1));
            secrets.put("deleted", MARKER);
            secrets.delete("deleted", MARKER);
            store.scope("acme").group("secrets").put("large", MARKER.repeat(1_000));
            clock.advance(Duration.ofMillis(1));
            store.purgeExpired(); // recorded for the subscriber, and retained
            assertThat(store.stats().retained()).isOne();
            assertThat(filesWith(MARKER)).isEmpty();
            store.group("free").put("key", MARKER);
            assertThat(filesWith(MARKER)).as("what is not encrypted is found").isNotEmpty();
            store.group("free").clear();
            subscription.close();
        }
    }

    @Test
    void noValueIsToBeFoundInTheClosedFile() throws IOException {
        try (Store store = open(1)) {
            store.group("secrets").put("key", MARKER);
        }
        assertThat(filesWith(MARKER)).isEmpty();
        try (Store store = open(1)) {
            assertThat(store.group("secrets").get("key")).contains(MARKER);
        }
    }

    private List<Path> filesWith(String text) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> has(file, text)).toList();
        }
    }

    private static boolean has(Path file, String text) {
        try {
            return Files.readString(file, ISO_8859_1).contains(text);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void aRowThatWasRenamedInTheFileDoesNotOpen() throws SQLException {
        try (Store store = open(1)) {
            store.group("secrets").put("mine", MARKER);
            store.group("secrets").put("other", MARKER);
            store.scope("acme").group("secrets").put("key", MARKER);
        }
        DamagedFile.run(
                file(),
                "UPDATE entry SET key = 'yours' WHERE key = 'mine'",
                "UPDATE entry SET grp = 'umbrella:secrets' WHERE grp = 'acme:secrets'",
                WITHOUT_CHECKSUMS);
        try (Store store = open(1)) {
            assertThatExceptionOfType(SealedValueException.class)
                    .isThrownBy(() -> store.group("secrets").get("yours"));
            assertThatExceptionOfType(SealedValueException.class)
                    .isThrownBy(() -> store.scope("umbrella").group("secrets").take("key"));
            assertThat(store.group("secrets").get("other")).contains(MARKER);
        }
    }

    @Test
    void aValueThatWasCopiedOverAnotherInTheFileDoesNotOpen() throws SQLException {
        try (Store store = open(1)) {
            store.group("secrets").put("mine", MARKER);
            store.group("secrets").put("yours", "nothing");
        }
        DamagedFile.run(
                file(),
                "UPDATE entry SET value = (SELECT value FROM entry WHERE key = 'mine') WHERE key = 'yours'",
                WITHOUT_CHECKSUMS);
        try (Store store = open(1)) {
            assertThatExceptionOfType(SealedValueException.class)
                    .isThrownBy(() -> store.group("secrets").replace("yours", MARKER, "changed"));
        }
    }

    @Test
    void withAnotherKeyNothingOpensAndNothingIsLost() {
        try (Store store = open(1)) {
            store.group("secrets").put("key", MARKER);
        }
        try (Store store = open(2)) {
            assertThatExceptionOfType(SealedValueException.class)
                    .isThrownBy(() -> store.group("secrets").take("key"));
            assertThat(store.group("secrets").count()).isOne();
        }
        try (Store store = open(1)) {
            assertThat(store.group("secrets").take("key")).contains(MARKER);
        }
    }
}
