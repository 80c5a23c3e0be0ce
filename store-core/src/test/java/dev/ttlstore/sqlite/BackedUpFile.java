package dev.ttlstore.sqlite;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

import dev.ttlstore.Store;
import dev.ttlstore.TextGroup;

import static java.util.Objects.requireNonNull;

/** A file with a store, and the place of its backup. */
abstract class BackedUpFile {

    static final Duration HOUR = Duration.ofHours(1);

    @TempDir
    Path folder;

    Path file = Path.of("unset");
    Path backup = Path.of("unset");

    @BeforeEach
    final void placeFiles() throws IOException {
        file = folder.toRealPath().resolve("store.db");
        backup = folder.toRealPath().resolve("backups").resolve("store.db.1.backup");
    }

    final Path backups() {
        return requireNonNull(backup.getParent());
    }

    final Store open() {
        return Store.open(file);
    }

    /** Fills a store with some megabytes, so that SQLite takes some looks for a copy of it. */
    static void fill(Store store) {
        TextGroup many = store.group("many");
        for (int part = 0; part < 10; part++) {
            Map<String, String> values = new HashMap<>();
            for (int i = 0; i < 2_000; i++) {
                values.put(part + "-" + i, "x".repeat(300));
            }
            many.putAll(values);
        }
    }

    static long newVersion(Store store) {
        return store.group("group").put("key", "value");
    }

    /** Loses the store, and puts a copy of the backup in its place. */
    final void loseAndRestore() throws IOException {
        for (String suffix : List.of("", "-wal", "-shm")) {
            Files.deleteIfExists(file.resolveSibling(file.getFileName() + suffix));
        }
        Files.copy(backup, file);
    }

    static List<String> filesOf(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(each -> each.getFileName().toString()).sorted().toList();
        }
    }
}
