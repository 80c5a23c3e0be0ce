package dev.ttlstore.sqlite;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import dev.ttlstore.NativeLibraryException;
import dev.ttlstore.contract.Promise;

import static org.assertj.core.api.Assertions.assertThat;

class NativeLibraryTests {

    @TempDir
    Path folder;

    /** A file in place of the folder fails as one that is mounted noexec does, and needs no rights to be set up. */
    @Test
    @Promise(21)
    void aLibraryThatCannotBeUnpackedIsToldWithItsFolderAndTheRemedy() throws IOException {
        Path noFolder = Files.createFile(folder.resolve("no-folder"));
        Path file = folder.resolve("store.db");
        try (ChildJvm child = ChildJvm.startWithProperty("org.sqlite.tmpdir=" + noFolder, HoldingProgram.class, file)) {
            assertThat(child.await("Exception in thread \"main\""))
                    .startsWith(NativeLibraryException.class.getName())
                    .contains(noFolder.toString())
                    .contains("noexec")
                    .contains("org.sqlite.tmpdir");
        }
        assertThat(file).doesNotExist();
    }
}
