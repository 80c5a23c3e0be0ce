package dev.ttlstore.sqlite;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import java.util.Objects;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.exception.StorePathException;

/** The names of a database's file and of those beside it. */
final class SqliteFiles {

    /** The ends of the names of the files whose contents SQLite writes into the database when it opens it. */
    static final List<String> LOGS = List.of("-wal", "-journal");

    private SqliteFiles() {}

    /** Returns the folder of a file, whose path is absolute. */
    static Path folder(Path file) {
        return Objects.requireNonNull(file.getParent(), "an absolute path has a parent");
    }

    /** Returns the file in the same folder that has the name of a file and a suffix. */
    static Path beside(Path file, String suffix) {
        return file.resolveSibling(file.getFileName() + suffix);
    }

    /**
     * Returns the URL of a file for the driver. It contains a URI, whose escapes keep the driver from trimming the name or
     * reading settings from it.
     */
    static String url(Path file) {
        return "jdbc:sqlite:" + file.toUri();
    }

    /** Returns the URL that opens a file for reads only, with its log if there is one. */
    static String urlForReads(Path file) throws IOException {
        return url(file) + (isSettled(file) ? "?immutable=1" : "?mode=ro");
    }

    /** Tests whether there is no file beside it that SQLite would apply first, as a crash may leave one. */
    static boolean isSettled(Path file) throws IOException {
        for (String suffix : LOGS) {
            Path beside = beside(file, suffix);
            if (Files.exists(beside) && Files.size(beside) > 0) {
                return false;
            }
        }
        return true;
    }

    /** Returns what identifies a file, also if it has another name by then; null where files have nothing of that kind. */
    static @Nullable Object identity(Path file, LinkOption... options) throws IOException {
        return Files.readAttributes(file, BasicFileAttributes.class, options).fileKey();
    }

    /** Tests whether a file is there and has an identity. */
    static boolean isStill(@Nullable Object identity, Path file, LinkOption... options) {
        try {
            return Objects.equals(identity, identity(file, options));
        } catch (IOException e) {
            return false;
        }
    }

    /** Makes the failure of a store that cannot be opened; the reason completes a sentence. */
    static StorePathException notOpened(Path file, String reason, String remedy, @Nullable Exception cause) {
        return new StorePathException(file, "The store " + file + " cannot be opened: " + reason, remedy, cause);
    }
}
