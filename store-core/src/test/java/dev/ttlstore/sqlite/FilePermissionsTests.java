package dev.ttlstore.sqlite;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

import dev.ttlstore.Store;
import dev.ttlstore.contract.Promise;
import dev.ttlstore.exception.StoreException;

import static dev.ttlstore.contract.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

@Promise(20)
@DisabledOnOs(OS.WINDOWS)
class FilePermissionsTests {

    @TempDir
    Path folder;

    @Test
    void allFilesOfAStoreAreForTheirOwnerAlone() throws IOException {
        try (Store store = Store.open(folder.resolve("store.db"))) {
            store.group("group").put("key", "value");
            assertThat(permissions())
                    .containsOnlyKeys("store.db", "store.db-shm", "store.db-wal", "store.db.lock", "store.db.reserve")
                    .allSatisfy((name, permissions) -> assertThat(permissions).isEqualTo("rw-------"));
        }
        assertThat(permissions()).containsOnlyKeys("store.db", "store.db.lock", "store.db.reserve");
    }

    @Test
    void foldersThatAreCreatedAreForTheirOwnerAlone() throws IOException {
        Path inner = folder.resolve("a").resolve("b");
        Store.open(inner.resolve("store.db")).close();
        assertThat(permissions(folder.resolve("a"))).isEqualTo("rwx------");
        assertThat(permissions(inner)).isEqualTo("rwx------");
    }

    @Test
    void aFolderThatIsThereStaysAsItIs() throws IOException {
        Path open = Files.createDirectory(folder.resolve("open"));
        Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rwxr-xr-x"));
        Store.open(open.resolve("store.db")).close();
        assertThat(permissions(open)).isEqualTo("rwxr-xr-x");
    }

    @Test
    void aStoreThatOthersCouldReadIsTakenFromTheirEyesWithTheFilesBesideIt() throws IOException {
        Path file = folder.resolve("store.db");
        Store.open(file).close();
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
        try (Store store = Store.open(file)) {
            store.group("group").put("key", "value");
            assertThat(permissions())
                    .containsOnlyKeys("store.db", "store.db-shm", "store.db-wal", "store.db.lock", "store.db.reserve")
                    .allSatisfy((name, permissions) -> assertThat(permissions).isEqualTo("rw-------"));
        }
    }

    @Test
    void whatACrashLeftBesideAStoreIsTakenFromTheEyesOfOthersToo() throws IOException, InterruptedException {
        Path file = folder.resolve("store.db");
        try (ChildJvm holder = ChildJvm.start(HoldingProgram.class, file)) {
            holder.await("open");
            holder.kill();
        }
        for (String name : permissions().keySet()) {
            Files.setPosixFilePermissions(folder.resolve(name), PosixFilePermissions.fromString("rw-rw-r--"));
        }
        try (Store store = Store.open(file)) {
            assertThat(store.group("group").get("key")).contains("value");
            assertThat(permissions())
                    .containsOnlyKeys("store.db", "store.db-shm", "store.db-wal", "store.db.lock", "store.db.reserve")
                    .allSatisfy((name, permissions) -> assertThat(permissions).isEqualTo("rw-------"));
        }
    }

    @Test
    void anEmptyFileThatOthersCouldReadIsTakenFromTheirEyes() throws IOException {
        Path file = Files.createFile(folder.resolve("store.db"));
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
        Store.open(file).close();
        assertThat(permissions(file)).isEqualTo("rw-------");
    }

    @Test
    @Promise(23)
    void aFolderThatMayNotBeWrittenIsRefusedWithTheReason() throws IOException {
        Path closed = Files.createDirectory(folder.resolve("closed"));
        Files.setPosixFilePermissions(closed, PosixFilePermissions.fromString("r-x------"));
        try {
            assumeFalse(Files.isWritable(closed), "this user may write everywhere");
            assertThatExceptionOfType(StoreException.class)
                    .isThrownBy(() -> Store.open(closed.resolve("store.db")))
                    .withMessageContaining(closed.toString())
                    .withMessageContaining("may write in it");
        } finally {
            Files.setPosixFilePermissions(closed, PosixFilePermissions.fromString("rwx------"));
        }
    }

    @Test
    @Promise(23)
    void aFileThatMayNotBeWrittenIsRefusedWithTheReasonAndStaysAsItIs() throws IOException {
        Path file = folder.resolve("store.db");
        Store.open(file).close();
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("r--r--r--"));
        assumeFalse(Files.isWritable(file), "this user may write everywhere");
        assertThatExceptionOfType(StoreException.class)
                .isThrownBy(() -> Store.open(file))
                .withMessageContaining(file.toString())
                .withMessageContaining("Check the permissions of the file");
        assertThat(permissions(file)).isEqualTo("r--r--r--");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
        Store.open(file).close();
    }

    @Test
    @Promise({11, 23})
    void aStoreThatHasLostItsPermissionsWhileOpenGoesOnOrSaysSo() throws IOException {
        Path file = folder.toRealPath().resolve("store.db");
        try (Store store = Store.open(file)) {
            store.group("group").put("before", "value");
            for (String name : permissions().keySet()) {
                Files.setPosixFilePermissions(folder.resolve(name), PosixFilePermissions.fromString("---------"));
            }
            Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("---------"));
            try {
                assumeFalse(Files.isReadable(file), "this user may read and write everywhere");
                // Whether writes go on is the system's business; a look for the file finds out.
                assertThatExceptionOfType(StoreException.class)
                        .isThrownBy(store::check)
                        .withMessageContaining(file.toString());
            } finally {
                Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwx------"));
                for (String name : permissions().keySet()) {
                    Files.setPosixFilePermissions(folder.resolve(name), PosixFilePermissions.fromString("rw-------"));
                }
            }
            store.check();
            store.group("group").put("after", "value");
        }
        try (Store store = Store.open(file)) {
            assertThat(store.group("group").getAll()).containsOnlyKeys("before", "after");
        }
    }

    private Map<String, String> permissions() throws IOException {
        Map<String, String> permissions = new TreeMap<>();
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.toList()) {
                permissions.put(String.valueOf(file.getFileName()), permissions(file));
            }
        }
        return permissions;
    }

    private static String permissions(Path path) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
    }
}
