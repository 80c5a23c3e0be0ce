package dev.ttlstore.sqlite;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.function.Supplier;

import dev.ttlstore.engine.BackupListener;
import dev.ttlstore.engine.HighWater;
import dev.ttlstore.engine.support.DiskFiles;
import dev.ttlstore.engine.support.Inspection;
import dev.ttlstore.exception.StoreCorruptedException;
import dev.ttlstore.exception.StoreException;
import dev.ttlstore.exception.StoreFullException;
import dev.ttlstore.exception.StoreInterruptedException;
import dev.ttlstore.exception.StorePathException;

/**
 * Makes backups of a store that is in use. SQLite copies what was committed at the beginning into another file, entry by entry, through
 * a connection of its own: readers and the writer go on. The copy is compact, and its header marks it as a backup. A store that
 * opens it continues the sequence far behind all numbers that the first store may have used since. Thread-safe.
 *
 * @param opener opens a connection
 * @param reached returns how far the store has come
 * @param reads knows of the backups that are being made
 */
record Backups(Supplier<SqliteSession> opener, Supplier<HighWater> reached, LongReads reads) {

    /**
     * Makes a backup.
     *
     * @param given the file to create
     * @param listener follows it; what it throws ends the backup, and is thrown
     * @return the size of the file
     */
    long write(Path given, BackupListener listener) {
        Path target = given.toAbsolutePath().normalize();
        reads.begin();
        try {
            prepare(target);
            try (PartialFile partial = PartialFile.of(target, target)) {
                copy(partial.path(), target, listener);
                mark(partial.path());
                if (Thread.currentThread().isInterrupted()) {
                    throw interrupted(target);
                }
                return publish(partial, target);
            }
        } catch (IOException e) {
            throw new StorePathException(
                    target,
                    "The backup " + target + " cannot be written: " + DiskFiles.reason(e),
                    "Check that its folder exists or can be made, and that this user may write in it",
                    e);
        } finally {
            reads.end();
        }
    }

    private static void prepare(Path target) throws IOException {
        if (Files.exists(target, LinkOption.NOFOLLOW_LINKS)) { // so it is no root, and has a folder
            throw exists(target);
        }
        DiskFiles.createFolders(SqliteFiles.folder(target), DiskFiles::syncFolder);
    }

    private static StorePathException exists(Path target) {
        return new StorePathException(
                target,
                "The backup " + target + " was not made, because there is such a file",
                "Give each backup a name of its own",
                null);
    }

    private void copy(Path partial, Path target, BackupListener listener) throws IOException {
        try (SqliteSession session = opener.get()) {
            long total = (session.pageCount() - session.freePages()) * session.pageSize();
            Inspection looks = new Inspection(
                    "The backup to " + target,
                    progress ->
                            listener.written(Math.min(total, partial.toFile().length()), total),
                    reads::isClosed);
            try {
                session.watched(looks::goOn, () -> session.bind("VACUUM INTO ?")
                        .text(partial.toString())
                        .update());
            } catch (StoreFullException e) {
                throw new StoreFullException(
                        "The backup " + target
                                + " was not made, because its disk is full. Give it room, or delete older" + " backups",
                        e);
            } catch (StoreCorruptedException e) {
                throw e;
            } catch (StoreException e) {
                throwReason(looks, target);
                throw new StoreException("The backup " + target + " was not made: " + e.problem(), e.remedy(), e);
            }
            listener.written(Files.size(partial), Files.size(partial));
        }
    }

    private static void throwReason(Inspection looks, Path target) {
        try {
            looks.throwReason();
        } catch (StoreInterruptedException e) {
            throw interrupted(target);
        }
    }

    /** The store's own file is ahead of what the store has used. A backup says how far it was, so that backups have an order. */
    private void mark(Path partial) {
        HighWater now = reached.get();
        try (SqliteSession session =
                SqliteSession.open(SqliteFiles.url(partial) + "?mode=rw", new SqliteErrors(partial.toString()))) {
            session.commit(() -> {
                SequenceRow.save(session, now);
                FileFormat.markAsBackup(session);
            });
        }
    }

    private static long publish(PartialFile partial, Path target) throws IOException {
        long bytes = Files.size(partial.path());
        try {
            partial.publish();
        } catch (FileAlreadyExistsException e) {
            throw exists(target);
        }
        return bytes;
    }

    private static StoreInterruptedException interrupted(Path target) {
        return new StoreInterruptedException(
                "The backup to " + target + " was interrupted; nothing of it is left", "Make it again");
    }
}
