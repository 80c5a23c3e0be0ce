package dev.ttlstore.sqlite;

import java.io.IOException;
import java.net.URI;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import dev.ttlstore.Store;
import dev.ttlstore.contract.Promise;
import dev.ttlstore.exception.StoreException;

import static dev.ttlstore.contract.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assumptions.assumeThat;

/** A store is at the path that was given, whatever a URL would make of its name. */
@Promise({21, 23})
@DisabledOnOs(OS.WINDOWS) // which allows few of these characters
class OddPathTests {

    @TempDir
    Path folder;

    @BeforeEach
    void resolveFolder() throws IOException {
        folder = folder.toRealPath();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "with space.db",
                "at the end ",
                " at the beginning",
                "100%.db",
                "%41.db",
                "%00.db",
                "a#b.db",
                "a;b.db",
                "a&b=c.db",
                "a\\b.db",
                "a\"b.db",
                "a'b.db",
                "a\nb.db",
                "a+b.db",
                "käse 🔑.db",
                "?",
                "store.db?mode=memory",
                "store.db?mode=ro",
                "store.db&mode=ro",
                "store.db?journal_mode=DELETE&secure_delete=false",
                "store.db?foreign_keys=nonsense",
                "mode=memory",
                ":memory:",
                ":resource:x.db",
                "file:x.db",
                "jdbc:sqlite:x.db",
                "a:b"
            })
    void aNameMayHaveAnyCharacter(String name) throws IOException {
        assertIsAt(folder.resolve(name), folder);
    }

    @Test
    void aFolderMayHaveAnyCharacter() throws IOException {
        Path odd = folder.resolve("a?mode=memory&b%20c#d;");
        assertIsAt(odd.resolve("store.db"), odd);
        assertThat(names(folder)).containsExactly("a?mode=memory&b%20c#d;");
    }

    @Test
    void aLinkMayLeadToANameWithAnyCharacter() throws IOException {
        Path odd = Files.createFile(folder.resolve("real.db?journal_mode=DELETE"));
        Path link = Files.createSymbolicLink(folder.resolve("link.db"), odd);
        try (Store store = Store.open(link)) {
            store.group("group").put("key", "value");
            assertThat(store.stats().path()).isEqualTo(odd);
        }
        assertThat(odd).isNotEmptyFile();
        assertThat(names(folder))
                .containsExactly(
                        "link.db",
                        "real.db?journal_mode=DELETE",
                        "real.db?journal_mode=DELETE.lock",
                        "real.db?journal_mode=DELETE.reserve");
        try (Store store = Store.open(odd)) {
            assertThat(store.group("group").get("key")).contains("value");
        }
    }

    @Test
    void aLinkThatLeadsNowhereIsRefusedAndNothingIsMade() throws IOException {
        Path link = Files.createSymbolicLink(
                folder.resolve("link.db"), folder.resolve("disk").resolve("store.db"));
        assertThatExceptionOfType(StoreException.class)
                .isThrownBy(() -> Store.open(link))
                .withMessageContaining(link.toString())
                .withMessageContaining("disk/store.db, which does not exist");
        assertThat(names(folder)).containsExactly("link.db");
    }

    @Test
    void aLockFileThatIsALinkIsNotFollowed() throws IOException {
        Path precious = Files.writeString(folder.resolve("precious"), "text");
        Files.createSymbolicLink(folder.resolve("store.db.lock"), precious);
        assertThatExceptionOfType(StoreException.class).isThrownBy(() -> Store.open(folder.resolve("store.db")));
        assertThat(precious).hasContent("text");
        Files.delete(folder.resolve("store.db.lock"));
        Store.open(folder.resolve("store.db")).close();
    }

    @Test
    void aPathOfAnotherFileSystemIsRefusedByName() throws IOException {
        URI archive = URI.create("jar:" + folder.resolve("archive.zip").toUri());
        try (FileSystem zip = FileSystems.newFileSystem(archive, Map.of("create", "true"))) {
            Path inside = zip.getPath(folder.resolve("store.db").toString());
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> Store.open(inside))
                    .withMessageContaining("'path'");
        }
        assertThat(folder.resolve("store.db")).doesNotExist();
    }

    private static void assertIsAt(Path file, Path in) throws IOException {
        String name = String.valueOf(file.getFileName());
        for (String key : new String[] {"first", "second"}) {
            try (Store store = Store.open(file)) {
                store.group("group").put(key, "value");
                assertThat(store.stats().path()).isEqualTo(file);
                assertThat(names(in))
                        .containsExactlyInAnyOrder(
                                name, name + "-shm", name + "-wal", name + ".lock", name + ".reserve");
            }
        }
        assertThat(names(in)).containsExactlyInAnyOrder(name, name + ".lock", name + ".reserve");
        assertThat(file).isNotEmptyFile();
        try (Store store = Store.open(file)) {
            assertThat(store.group("group").getAll()).containsOnlyKeys("first", "second");
        }
    }

    private static Stream<String> names(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(file -> String.valueOf(file.getFileName())).sorted().toList().stream();
        }
    }

    @Test
    void aPipeInThePlaceOfTheFileIsRefusedRatherThanWaitedFor() throws IOException, InterruptedException {
        Path pipe = folder.resolve("pipe.db");
        assumeThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor())
                .isZero();
        refusesWhatIsNoFile(pipe);
        assertThat(folder.resolve("pipe.db.lock")).doesNotExist();
    }

    @Test
    void aDeviceIsRefusedBeforeAnythingIsWrittenBesideIt() {
        Path device = Path.of("/dev/null");
        assumeThat(device).exists();
        refusesWhatIsNoFile(device);
        assertThat(Path.of("/dev/null.lock")).doesNotExist();
    }

    private static void refusesWhatIsNoFile(Path path) {
        assertThatExceptionOfType(StoreException.class)
                .isThrownBy(() -> Store.open(path))
                .withMessageContaining(path.toString())
                .withMessageContaining("not a regular file");
    }
}
