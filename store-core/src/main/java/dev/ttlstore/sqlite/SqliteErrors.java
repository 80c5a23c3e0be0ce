package dev.ttlstore.sqlite;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.sqlite.SQLiteErrorCode;
import org.sqlite.SQLiteException;

import dev.ttlstore.exception.StoreCorruptedException;
import dev.ttlstore.exception.StoreException;
import dev.ttlstore.exception.StoreFullException;
import dev.ttlstore.exception.StorePathException;

/**
 * Translates SQLite's errors into exceptions that say what to do. SQLite's messages contain no bound values.
 *
 * @param location where the store is, for messages
 */
record SqliteErrors(String location) {

    private static final Logger log = LoggerFactory.getLogger(SqliteErrors.class);

    private static final int PRIMARY_CODE = 0xFF;

    private static final int NEEDED_DESCRIPTORS = 8;

    /**
     * The code of an unknown error. Reading it here also initializes the driver's exception class. If that failed at
     * its first use, for instance by a stack overflow, the class could never be used again in this process.
     */
    private static final SQLiteErrorCode UNKNOWN =
            new SQLiteException("", SQLiteErrorCode.UNKNOWN_ERROR).getResultCode();

    StoreException translate(SQLException e) {
        return switch (primaryCode(e)) {
            case SQLITE_FULL -> full(e);
            case SQLITE_CORRUPT, SQLITE_NOTADB ->
                new StoreCorruptedException(
                        "The store " + location + " is damaged",
                        "Stop the application, keep a copy of the file and of those beside it that begin with its name,"
                                + " and restore a backup",
                        e);
            case SQLITE_CONSTRAINT -> // the store writes nothing that its tables do not allow
                new StoreCorruptedException(
                        "The store " + location + " is damaged: a row is not what its table allows (" + e.getMessage()
                                + ")",
                        "Verify the store; then stop the application, and repair the file or restore a backup",
                        e);
            case SQLITE_CANTOPEN ->
                isOutOfDescriptors(Path.of(location)) ? outOfDescriptors(location, e) : notOpened(e);
            case SQLITE_READONLY, SQLITE_PERM, SQLITE_AUTH -> notOpened(e);
            case SQLITE_BUSY, SQLITE_LOCKED ->
                new StoreException(
                        "The store " + location + " is kept busy by another program that has opened the file",
                        "End it (a database browser, a backup) and try again",
                        e);
            case SQLITE_IOERR -> failedDisk(e);
            default -> new StoreException("SQLite has failed on the store " + location + ": " + e.getMessage(), e);
        };
    }

    private StorePathException notOpened(SQLException cause) {
        return new StorePathException(
                Path.of(location), // always a path, because memory can always be written
                "The store " + location + " cannot be opened for writing",
                "Check the permissions of the file and of its folder, and that its disk is not mounted read-only",
                cause);
    }

    StoreException failedDisk(SQLException cause) {
        return new StoreException(
                "The disk of the store " + location + " has failed to read or write; writes that were acknowledged"
                        + " before are as safe as the disk. Check in the system's log whether the disk is broken"
                        + " or is read-only now, and whether the files of the store may still be written",
                cause);
    }

    static StoreException outOfDescriptors(String location, Exception cause) {
        return new StoreException(
                "The store " + location + " cannot be opened: this process, or the system, has too many files open."
                        + " Raise the limit (ulimit -n), or find the code that does not close its files",
                cause);
    }

    /**
     * Tests whether fewer descriptors are free than a failed call may have needed. The call has released its own by
     * now. SQLite does not report why a file cannot be opened. This opens a folder, because closing a file could release
     * a lock.
     */
    static boolean isOutOfDescriptors(Path file) {
        Path folder = file.toAbsolutePath().getParent();
        try {
            if (folder != null) {
                openTogether(folder, NEEDED_DESCRIPTORS);
            }
            return false;
        } catch (IOException e) {
            String message = e.getMessage();
            return message != null && message.contains("Too many open files");
        }
    }

    @SuppressWarnings("try") // they are opened only to see whether it works
    private static void openTogether(Path folder, int times) throws IOException {
        try (DirectoryStream<Path> opened = Files.newDirectoryStream(folder)) {
            if (times > 1) {
                openTogether(folder, times - 1);
            }
        }
    }

    /**
     * Tests whether a read reached past the end of a file. In the store's file that is damage. In the WAL the cause
     * must be checked.
     */
    static boolean isShortRead(SQLException e) {
        return e instanceof SQLiteException sqlite && sqlite.getResultCode() == SQLiteErrorCode.SQLITE_IOERR_SHORT_READ;
    }

    StoreFullException full(Exception cause) {
        return new StoreFullException(
                "There is no room left for the store " + location + ": free space on its disk."
                        + " Nothing was written",
                cause);
    }

    void noteFailedRollback(StoreException e) {
        log.debug("A rollback on the store {} had nothing to do", location, e);
    }

    void noteUnknownLog(Exception e) {
        log.debug("It is unknown whether the log of the store {} is complete", location, e);
    }

    void noteUnclosed(SQLException e) {
        log.warn(
                "SQLite does not close a connection to the store {}, most likely after an out-of-memory error."
                        + " No data is lost, but its memory and its open files stay until this process ends: {}",
                location,
                e.getMessage());
    }

    void noteFailedClose(SQLException e) {
        log.debug("A statement on the store {} was closed already", location, e);
    }

    /**
     * Tests whether the first page could not be read as that of a database. Most likely the file never was a
     * database.
     */
    static boolean isNoDatabase(StoreException translated) {
        return translated.getCause() instanceof SQLException cause
                && primaryCode(cause) == SQLiteErrorCode.SQLITE_NOTADB;
    }

    /** Tests whether a statement does not fit the existing tables. */
    static boolean isRefusedStatement(StoreException translated) {
        return translated.getCause() instanceof SQLException cause
                && primaryCode(cause) == SQLiteErrorCode.SQLITE_ERROR;
    }

    private static SQLiteErrorCode primaryCode(SQLException e) {
        if (e instanceof SQLiteException sqlite) {
            if (isShortRead(e)) {
                return SQLiteErrorCode.SQLITE_CORRUPT; // the disk has not failed; the file is too short
            }
            if (sqlite.getResultCode() == SQLiteErrorCode.SQLITE_IOERR_SHMSIZE) {
                return SQLiteErrorCode.SQLITE_FULL; // the WAL index could not grow, which happens only on a full disk
            }
            return SQLiteErrorCode.getErrorCode(sqlite.getResultCode().code & PRIMARY_CODE);
        }
        return UNKNOWN;
    }
}
