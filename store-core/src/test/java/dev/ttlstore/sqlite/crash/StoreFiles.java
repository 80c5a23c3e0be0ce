package dev.ttlstore.sqlite.crash;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/** Copies of a store as a crash leaves it: the file and its log. */
final class StoreFiles {

    private StoreFiles() {}

    /** Copies a file and its log, and takes away what else is beside the copy. */
    static Path copy(Path from, Path to) throws IOException {
        copyOne(from, to);
        copyOne(wal(from), wal(to));
        Files.deleteIfExists(to.resolveSibling(to.getFileName() + "-shm"));
        return to;
    }

    static Path wal(Path file) {
        return file.resolveSibling(file.getFileName() + "-wal");
    }

    private static void copyOne(Path from, Path to) throws IOException {
        if (Files.exists(from)) {
            Files.copy(from, to, StandardCopyOption.REPLACE_EXISTING);
        } else {
            Files.deleteIfExists(to);
        }
    }
}
