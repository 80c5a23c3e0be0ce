package dev.ttlstore.sqlite;

import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.List;
import java.util.Objects;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.StoreException;
import dev.ttlstore.StoreFormatException;

/** The file of a store: found or created, claimed for this process, and kept from the eyes of others. */
final class StoreFile implements AutoCloseable {

    private static final List<String> BESIDE = List.of("-wal", "-shm", FileOwnership.SUFFIX);

    /** How long the header of an SQLite database is. */
    private static final long HEADER_BYTES = 100;

    private final Path path;
    private final FileOwnership ownership;
    private final @Nullable Object identity;

    private StoreFile(Path path, FileOwnership ownership, @Nullable Object identity) {
        this.path = path;
        this.ownership = ownership;
        this.identity = identity;
    }

    /** Claims a file, creating it and the folders above it where they are missing. */
    static StoreFile claim(Path given, Duration lockTimeout) {
        Path path = given.toAbsolutePath().normalize();
        if (path.getFileName() == null || Files.isDirectory(path)) {
            throw new StoreException("The store " + path + " cannot be opened: it is a folder. Name a file in it");
        }
        if (path.toString().indexOf('?') >= 0) {
            throw new IllegalArgumentException("'path' must not contain a question mark, but is " + path);
        }
        try {
            Path folder = Objects.requireNonNull(path.getParent(), "an absolute path has a parent");
            OwnerOnly.createFolders(folder);
            LocalDisk.require(Files.getFileStore(folder).type(), path);
            // Links are followed once, so that two names of one file are seen to be one.
            Path real =
                    Files.exists(path) ? path.toRealPath() : folder.toRealPath().resolve(path.getFileName());
            FileOwnership ownership = FileOwnership.claim(real, lockTimeout);
            try {
                // Made before SQLite does, which would let others read it; and never opened beside SQLite later, for
                // closing a file drops all POSIX locks that the process has on it.
                if (!Files.exists(real)) {
                    OwnerOnly.createFile(real);
                }
                requireNoStump(real);
                return new StoreFile(real, ownership, identity(real));
            } catch (IOException | RuntimeException e) {
                ownership.close();
                throw e;
            }
        } catch (ClosedByInterruptException e) {
            throw new StoreException("The store " + path + " was not opened: the thread has been interrupted", e);
        } catch (IOException e) {
            throw new StoreException(
                    "The store " + path + " cannot be opened: " + reason(e)
                            + ". Check that its folder exists or can be made, and that this user may write in it",
                    e);
        }
    }

    /** SQLite takes a file that is shorter than a header for an empty one, and would write over it. */
    private static void requireNoStump(Path file) throws IOException {
        long size = Files.size(file);
        if (size > 0 && size < HEADER_BYTES) {
            throw new StoreFormatException(
                    file,
                    "The file " + file + " is no store, or was cut off at its beginning; it has not been touched."
                            + " Give the store a path of its own, or restore a backup");
        }
    }

    Path path() {
        return path;
    }

    String url() {
        return "jdbc:sqlite:" + path;
    }

    /**
     * Takes the file from others' eyes, if it was there before us, and with it what is beside it already: left by a crash,
     * or made by SQLite, with the rights that the file had, when its beginning was read.
     */
    void restrictToOwner() {
        try {
            OwnerOnly.restrict(path);
            for (String suffix : BESIDE) {
                Path beside = path.resolveSibling(path.getFileName() + suffix);
                if (Files.exists(beside)) {
                    OwnerOnly.restrict(beside);
                }
            }
        } catch (IOException e) {
            throw new StoreException(
                    "The store " + path + " can be read by others, and that could not be changed: " + reason(e)
                            + ". Give the file to the user that runs the application",
                    e);
        }
    }

    /** SQLite goes on with a file that was deleted or replaced, and all that it writes is lost: notice it. */
    void requireStillThere() {
        Object found;
        try {
            found = identity(path);
        } catch (IOException e) {
            throw new StoreException(
                    "The file of the store " + path + " cannot be found any more: " + reason(e)
                            + ". What is written from now on is lost; put it back or restart the application",
                    e);
        }
        if (!Objects.equals(identity, found)) {
            throw new StoreException("The file of the store " + path + " has been replaced by another one while in use."
                    + " What is written from now on is lost; restart the application");
        }
    }

    @Override
    public void close() {
        ownership.close();
    }

    private static @Nullable Object identity(Path path) throws IOException {
        return Files.readAttributes(path, BasicFileAttributes.class).fileKey();
    }

    private static String reason(IOException e) {
        return e.getClass().getSimpleName() + " " + e.getMessage();
    }
}
