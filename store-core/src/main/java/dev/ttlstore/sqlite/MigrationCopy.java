package dev.ttlstore.sqlite;

import java.io.IOException;
import java.nio.file.Path;

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
        Path copy = SqliteFiles.beside(file, "." + layout);
        try (PartialFile partial = PartialFile.of(copy, file)) {
            session.call(() -> session.bind("VACUUM INTO ?")
                    .text(partial.path().toString())
                    .update());
            partial.replace();
        } catch (StoreFullException e) {
            throw new StoreFullException(
                    "The file " + file + " could not be copied to " + copy + " before its migration, because the disk"
                            + " is full; it was not changed. Give its folder room for the copy, or turn"
                            + " copyBeforeMigration off",
                    e);
        } catch (IOException e) {
            throw new StoreException(
                    "The file " + file + " could not be copied to " + copy + " before its migration, so it was not"
                            + " changed: " + e,
                    "Give its folder room and permissions, or turn copyBeforeMigration off",
                    e);
        }
        log.info("The file {} was copied to {} before its migration", file, copy);
    }
}
