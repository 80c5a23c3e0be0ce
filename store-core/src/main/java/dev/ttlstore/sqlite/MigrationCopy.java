package dev.ttlstore.sqlite;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Objects;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.ttlstore.exception.StoreException;
import dev.ttlstore.exception.StoreFullException;

/** Copies a file before it is migrated, because a migration goes one way. */
final class MigrationCopy {

    private static final Logger log = LoggerFactory.getLogger(MigrationCopy.class);

    private MigrationCopy() {}

    /**
     * Copies the database of a session beside its file. Without a complete copy, nothing is migrated.
     *
     * @param session a session on the database
     * @param file its file
     * @param layout the layout of the file, for the name of the copy
     */
    static void make(SqliteSession session, Path file, String layout) {
        Path copy = file.resolveSibling(file.getFileName() + "." + layout);
        Path partial = file.resolveSibling(copy.getFileName() + ".tmp");
        try {
            delete(partial);
            OwnerOnly.createFile(partial); // before it has any content
            session.call(
                    () -> session.bind("VACUUM INTO ?").text(partial.toString()).update());
            try (FileChannel channel = FileChannel.open(partial, StandardOpenOption.WRITE)) {
                channel.force(true); // SQLite does not
            }
            Files.move(partial, copy, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            FolderSync.toDisk(Objects.requireNonNull(file.getParent()));
        } catch (StoreFullException e) {
            discard(partial);
            throw new StoreFullException(
                    "The file " + file + " could not be copied to " + copy + " before its migration, because the disk"
                            + " is full; it was not changed. Give its folder room for the copy, or turn"
                            + " copyBeforeMigration off",
                    e);
        } catch (StoreException e) {
            discard(partial);
            throw e;
        } catch (IOException e) {
            discard(partial);
            throw new StoreException(
                    "The file " + file + " could not be copied to " + copy + " before its migration, so it was not"
                            + " changed: " + e,
                    "Give its folder room and permissions, or turn copyBeforeMigration off",
                    e);
        }
        log.info("The file {} was copied to {} before its migration", file, copy);
    }

    /** Deletes an incomplete copy, with the journal that SQLite leaves beside it if the disk is full. */
    private static void delete(Path partial) throws IOException {
        Files.deleteIfExists(partial);
        Files.deleteIfExists(partial.resolveSibling(partial.getFileName() + "-journal"));
    }

    private static void discard(Path partial) {
        try {
            delete(partial);
        } catch (IOException e) {
            log.warn("The incomplete copy {} could not be deleted; delete it", partial, e);
        }
    }
}
