package dev.ttlstore.sqlite;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.ttlstore.engine.HighWater;
import dev.ttlstore.engine.support.DiskFiles;
import dev.ttlstore.exception.StoreCorruptedException;
import dev.ttlstore.exception.StoreException;
import dev.ttlstore.exception.StorePathException;

/** Puts a backup in the place of a store's file that is missing. */
final class Restore {

    private static final Logger log = LoggerFactory.getLogger(Restore.class);

    private Restore() {}

    /**
     * Restores a file if it is missing and there is a backup.
     *
     * @param given the store's file
     * @param from a backup, or a folder with backups
     * @param lockTimeout how long to wait for a process that has claimed the file
     */
    static void ifMissing(Path given, Path from, Duration lockTimeout) {
        Path file = given.toAbsolutePath().normalize();
        if (Files.exists(file)) {
            return;
        }
        try {
            Optional<Path> backup = newestBackup(file, from);
            if (backup.isEmpty()) {
                log.info("The store {} does not exist, and {} has no backup of it; it begins empty", file, from);
                return;
            }
            DiskFiles.createFolders(SqliteFiles.folder(file), DiskFiles::syncFolder);
            Path real = SqliteFiles.folder(file).toRealPath().resolve(file.getFileName());
            FileOwnership ownership = FileOwnership.claim(real, lockTimeout, () -> {});
            try {
                Replacement.settle(real);
                PartialFile.removeLeftOf(real);
                if (!Files.exists(real)) { // nobody was faster
                    requireNoLog(real);
                    copy(backup.get(), real);
                    log.warn(
                            "The store {} did not exist and was restored from the backup {}. What was written after the"
                                    + " backup is lost",
                            real,
                            backup.get());
                }
            } finally {
                ownership.close();
            }
        } catch (IOException e) {
            throw new StorePathException(
                    file,
                    "The store " + file + " cannot be restored from " + from + ": " + DiskFiles.reason(e),
                    "Check the permissions of both, or restore nothing by not setting the place of backups",
                    e);
        }
    }

    /** Finds the backup to restore a file from. */
    static Optional<Path> newestBackup(Path given, Path from) {
        if (Files.exists(from) && !Files.isDirectory(from)) {
            return Optional.of(requireRegular(from));
        }
        return new BackupFolder(given.toAbsolutePath().normalize(), from).newest();
    }

    /** A pipe could block for ever, and a device need not end. */
    private static Path requireRegular(Path backup) {
        if (!Files.isRegularFile(backup)) {
            throw new StorePathException(
                    backup,
                    "The backup " + backup + " cannot be restored: it is not a regular file",
                    "Name a file, or a folder with backups. Save what comes through a pipe to a file first",
                    null);
        }
        return backup;
    }

    /** SQLite would write the log of the lost file into the restored one. */
    private static void requireNoLog(Path file) {
        for (String suffix : SqliteFiles.LOGS) {
            Path beside = SqliteFiles.beside(file, suffix);
            if (Files.exists(beside)) {
                throw new StorePathException(
                        file,
                        "The store " + file + " was not restored, because its log " + beside + " is still there",
                        "Find out where the file has gone, since both belong together, or move the log away to go on with"
                                + " the backup",
                        null);
            }
        }
    }

    private static void copy(Path backup, Path file) throws IOException {
        try (PartialFile partial = PartialFile.of(file, file)) {
            partial.copyFrom(backup);
            try (SqliteSession session =
                    SqliteSession.open(SqliteFiles.url(partial.path()), new SqliteErrors(backup.toString()))) {
                FileFormat.requireStore(session, backup);
                FileFormat.requireNothingForeign(session, backup);
                requireSound(session);
                if (FileFormat.isCurrent(session)) {
                    HighWater unused = SequenceRow.read(session); // without it, the store would not open
                }
                FileFormat.markAsBackup(session); // it may have been opened as a store since it was made
            }
            partial.publish();
        } catch (StoreException e) {
            throw new StoreException(
                    "The store " + file + " cannot be restored from the backup " + backup + ": " + e.problem(),
                    "Restore another backup",
                    e);
        }
    }

    /** Reads the whole file, and requires that its pages and their order are sound. */
    private static void requireSound(SqliteSession session) {
        String found = session.pragma("quick_check(1)");
        if (!"ok".equals(found)) {
            throw new StoreCorruptedException(
                    "The file " + session.errors().location() + " is damaged: " + found,
                    "Keep a copy of it, and restore a backup",
                    null);
        }
    }
}
