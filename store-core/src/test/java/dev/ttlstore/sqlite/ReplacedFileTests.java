package dev.ttlstore.sqlite;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.stream.Stream;

import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

import dev.ttlstore.Store;
import dev.ttlstore.TextGroup;
import dev.ttlstore.contract.Promise;
import dev.ttlstore.contract.Threads;
import dev.ttlstore.exception.StoreException;

import static dev.ttlstore.contract.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/** Somebody clears up beneath an open store. Windows does not let them. */
@Promise(23)
@EnabledOnOs({OS.LINUX, OS.MAC})
class ReplacedFileTests {

    @TempDir
    Path folder;

    private Path file = Path.of("unset");
    private Path log = Path.of("unset");

    @BeforeEach
    void nameFiles() throws IOException {
        Path inner = Files.createDirectory(folder.toRealPath().resolve("inner"));
        file = inner.resolve("store.db");
        log = inner.resolve("store.db-wal");
    }

    /** Opens a store that soon notices what happens to its file. */
    private Store open() {
        return Store.builder()
                .engine(Sqlite.file(file).lookEvery(Duration.ofMillis(50)))
                .open();
    }

    @Test
    void aFileThatIsMovedAwayIsToldAndOneThatIsPutBackIsGoodAgain() throws IOException {
        Path elsewhere = folder.resolve("elsewhere.db");
        int written;
        try (Store store = open()) {
            TextGroup group = store.group("group");
            group.put("key", "value");
            Files.move(file, elsewhere);
            refuses("is no longer there", store::check);
            written = awaitRefusalOfWrites(store, "is no longer there");
            assertThat(group.get("key")).contains("value");

            Files.move(elsewhere, file);
            assertThatCode(store::check).doesNotThrowAnyException();
            group.put("after", "value");
        }
        try (Store store = open()) {
            assertThat(store.group("group").getAll())
                    .containsKeys("key", "after")
                    .hasSize(written + 1);
        }
    }

    @Test
    void noReaderIsOpenedOnAnotherFile() throws IOException {
        try (Store store = open()) {
            TextGroup group = store.group("group");
            group.put("key", "value");
            Files.move(file, folder.resolve("elsewhere.db"));
            Threads.together(16, thread -> {
                for (int i = 0; i < 200; i++) {
                    try {
                        assertThat(group.count()).isEqualTo(1);
                    } catch (StoreException e) { // of a reader that would have been opened now
                        assertThat(e).hasMessageContaining("is no longer there");
                    }
                }
                return true;
            });
            assertThat(file).doesNotExist();
        }
    }

    @Test
    void aFileThatIsReplacedIsToldByItsWriterAndLeftAlone() throws IOException {
        Path backup = folder.resolve("backup.db");
        try (Store store = Store.open(backup)) {
            store.group("group").put("of the backup", "value");
        }
        byte[] restored = Files.readAllBytes(backup);
        try (Store store = open()) {
            store.group("group").put("key", "value");
            Files.move(backup, file, StandardCopyOption.REPLACE_EXISTING);
            refuses("replaced", store::check);
            awaitRefusalOfWrites(store, "replaced");
        }
        assertThat(file).hasBinaryContent(restored);
    }

    @Test
    @Promise({11, 23})
    void aLogThatIsRemovedIsToldAndWhatItHeldIsSavedByTheClosing() throws IOException {
        int written;
        try (Store store = open()) {
            store.group("group").put("key0", "value");
            Files.delete(log);
            written = awaitRefusalOfWrites(store, "store.db-wal, has been removed or replaced");
            refuses("close the store, which saves them", store::check);
            assertThat(store.group("group").get("key0")).contains("value");
        }
        try (Store store = open()) {
            assertThat(store.group("group").count()).isEqualTo(written);
        }
    }

    @Test
    void aLogThatIsReplacedIsTold() throws IOException {
        try (Store store = open()) {
            store.group("group").put("key", "value");
            byte[] bytes = Files.readAllBytes(log);
            Files.delete(log);
            Files.write(log, bytes);
            refuses("removed or replaced", store::check);
        }
        try (Store store = open()) {
            assertThat(store.group("group").getAll()).containsOnlyKeys("key");
        }
    }

    @Test
    @Promise({20, 23})
    void aLockFileThatIsRemovedOrReplacedIsToldForAnotherProcessMayBeLetIn() throws IOException {
        Path lock = file.resolveSibling("store.db.lock");
        try (Store store = open()) {
            store.group("group").put("key0", "value");
            Files.delete(lock);
            awaitRefusalOfWrites(store, "store.db.lock, has been removed or replaced");
            Files.createFile(lock);
            refuses("another process may have opened", store::check);
        }
    }

    @Test
    void aFolderThatIsRemovedIsToldAndTheStoreCanBeClosedAndMadeAnew() throws IOException {
        try (Store store = open()) {
            store.group("group").put("key", "value");
            removeFolder();
            refuses("is no longer there", store::check);
            awaitRefusalOfWrites(store, "is no longer there");
        }
        assertThat(file).doesNotExist();
        try (Store store = open()) {
            assertThat(store.count()).isZero();
            store.group("group").put("key", "value");
        }
    }

    @Test
    void theFilesOfALivingStoreAreNoReasonForFalseAlarm() {
        try (Store store = open()) {
            for (int round = 0; round < 5; round++) {
                // More than SQLite folds into the file at once, after which it begins its log anew.
                for (int i = 0; i < 60; i++) {
                    store.group("group").put("key" + i, "x".repeat(100_000));
                }
                store.check();
            }
        }
        try (Store store = open()) {
            store.check();
            assertThat(store.count()).isEqualTo(60);
        }
    }

    /** Writes until that is refused, and returns how many entries there are by then. */
    private int awaitRefusalOfWrites(Store store, String reason) {
        int[] written = {1}; // not counted: a reader that would be opened now is refused
        await().atMost(Duration.ofSeconds(10))
                .pollInterval(Duration.ofMillis(20))
                .untilAsserted(() -> refuses(reason, () -> {
                    store.group("group").put("key" + written[0], "value");
                    written[0]++;
                }));
        return written[0];
    }

    private void refuses(String reason, ThrowingCallable call) {
        assertThatExceptionOfType(StoreException.class)
                .isThrownBy(call)
                .withMessageContaining(file.toString())
                .withMessageContaining(reason);
    }

    private void removeFolder() throws IOException {
        Path inner = folder.resolve("inner");
        try (Stream<Path> files = Files.list(inner)) {
            for (Path each : files.toList()) {
                Files.delete(each);
            }
        }
        Files.delete(inner);
    }
}
