package dev.ttlstore.sqlite;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import dev.ttlstore.contract.Promise;
import dev.ttlstore.contract.SmallDisk;
import dev.ttlstore.exception.NativeLibraryException;
import dev.ttlstore.exception.StoreEngineException;

import static dev.ttlstore.contract.Assertions.assertThat;

@Tag("slow")
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
            assertThat(child.told()).as("what the driver prints").hasSize(1);
        }
        assertThat(file).doesNotExist();
    }

    /** Without a word of the driver, which prints a stack trace for each place that it looks at. */
    @ParameterizedTest
    @CsvSource({
        "os.arch=abacus, on abacus",
        "org.sqlite.lib.path=/nowhere, org.sqlite.lib.path",
        "org.sqlite.lib.name=none.so, none.so"
    })
    @Promise(21)
    @EnabledOnOs(OS.LINUX)
    void aLibraryThatIsNotThereIsToldWithWhatWasLookedFor(String property, String told) throws IOException {
        Path file = folder.resolve("store.db");
        try (ChildJvm child = ChildJvm.startWithProperty(property, HoldingProgram.class, file)) {
            assertThat(child.await("Exception in thread \"main\""))
                    .startsWith(StoreEngineException.class.getName())
                    .contains(told)
                    .doesNotContain("noexec");
            assertThat(child.told()).as("what the driver prints").hasSize(1);
        }
        assertThat(file).doesNotExist();
    }

    @Test
    @Promise(21)
    @EnabledOnOs(OS.LINUX)
    void aFolderFromWhichNothingMayBeRunIsToldWithoutAStackTraceOfTheDriver() throws IOException {
        try (SmallDisk disk = SmallDisk.withoutPrograms(folder.toRealPath(), 4)) {
            Path file = folder.resolve("store.db");
            String property = "org.sqlite.tmpdir=" + disk.file("");
            try (ChildJvm child = ChildJvm.startWithProperty(property, HoldingProgram.class, file)) {
                assertThat(child.await("Exception in thread \"main\""))
                        .startsWith(NativeLibraryException.class.getName())
                        .contains("noexec");
                assertThat(child.told()).as("what the driver prints").hasSize(1);
            }
            assertThat(file).doesNotExist();
        }
    }
}
