package dev.ttlstore.sqlite;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import dev.ttlstore.contract.Promise;
import dev.ttlstore.engine.support.DiskFiles;

import static dev.ttlstore.contract.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** What is acknowledged must not be lost with the name of its file, or with that of a folder above it. */
@Promise(11)
class FolderSyncTests {

    @TempDir
    Path folder;

    private final List<Path> synced = new ArrayList<>();

    @Test
    void eachFolderThatIsCreatedIsSyncedIntoTheOneAboveItAndTheFileIntoItsFolder() throws IOException {
        Path root = folder.toRealPath();
        Path file = root.resolve("a").resolve("b").resolve("c").resolve("store.db");
        StoreFile.claim(file, Duration.ZERO, synced::add).close();
        assertThat(file).exists();
        assertThat(synced).containsExactly(root, root.resolve("a"), root.resolve("a/b"), root.resolve("a/b/c"));
    }

    @Test
    void ofAFileAndAFolderThatAreThereNothingIsSynced() throws IOException {
        Path file = Files.createFile(folder.toRealPath().resolve("store.db"));
        StoreFile.claim(file, Duration.ZERO, synced::add).close();
        assertThat(synced).isEmpty();
    }

    @Test
    void aFolderIsSyncedByAThreadThatIsInterruptedToo() {
        Thread.currentThread().interrupt();
        DiskFiles.syncFolder(folder);
        assertThat(Thread.interrupted()).isTrue();
        assertThatCode(() -> DiskFiles.syncFolder(folder.resolve("missing"))).doesNotThrowAnyException();
    }

    @Test
    @Promise(23)
    void anErrorAtTheOpeningGivesTheFileBack() throws IOException {
        Path file = folder.toRealPath().resolve("store.db");
        assertThatExceptionOfType(OutOfMemoryError.class)
                .isThrownBy(() -> StoreFile.claim(file, Duration.ZERO, created -> {
                    throw new OutOfMemoryError("test");
                }));
        StoreFile.claim(file, Duration.ZERO, created -> {}).close();
    }
}
