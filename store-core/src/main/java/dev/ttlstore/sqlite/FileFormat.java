package dev.ttlstore.sqlite;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.ttlstore.exception.NewerStoreException;
import dev.ttlstore.exception.StoreCorruptedException;
import dev.ttlstore.exception.StoreException;
import dev.ttlstore.exception.StoreFormatException;
import dev.ttlstore.exception.UnfinishedCopyException;

/** What kind of file a database is, as its header says. Refuses a file that is not a store without changing it. */
final class FileFormat {

    private static final Logger log = LoggerFactory.getLogger(FileFormat.class);

    /** "TTLS" in ASCII, stored in the file's header to distinguish a store from other databases. */
    static final int APPLICATION_ID = 0x54_54_4C_53;

    /** "TTLC", stored there while the file holds an unfinished copy, so that no version of the store opens it. */
    static final int UNFINISHED_COPY_ID = 0x54_54_4C_43;

    /** "TTLB", stored there in a backup, until it is opened as a store again. */
    static final int BACKUP_ID = 0x54_54_4C_42;

    /** The length of the header of an SQLite database. */
    private static final long HEADER_BYTES = 100;

    private FileFormat() {}

    /** The kinds of files that are accepted. */
    enum Kind {
        STORE,
        NOTHING,
        LEGACY
    }

    /**
     * Refuses a file of another application, before any file is created beside it. Reads a WAL that is not
     * checkpointed yet, but does not change it.
     */
    static void requireNotForeign(Path file) throws IOException {
        if (!Files.exists(file) || Files.size(file) == 0) {
            return;
        }
        requireNoStump(file);
        try (SqliteSession session =
                SqliteSession.open(SqliteFiles.urlForReads(file), new SqliteErrors(file.toString()))) {
            inspect(session, file);
        } catch (StoreFormatException e) {
            throw e;
        } catch (StoreException e) {
            log.debug("The format of the file {} cannot be determined before it is opened", file, e);
        }
    }

    /** Refuses a file that is shorter than a header. SQLite would take it for an empty file and overwrite it. */
    static void requireNoStump(Path file) throws IOException {
        long size = Files.size(file);
        if (size > 0 && size < HEADER_BYTES) {
            throw new StoreFormatException(
                    file,
                    "The file " + file + " is not a store, or was cut off at its beginning; it has not been touched",
                    "Give the store a path of its own, or restore a backup",
                    null);
        }
    }

    /** Refuses a file that is not a store or a backup of one. */
    static void requireStore(SqliteSession session, Path path) {
        if (inspect(session, path) != Kind.STORE) {
            throw new StoreFormatException(
                    path, "The file " + path + " is neither a store nor a backup of one", "Name another one", null);
        }
        if (isUnfinishedCopy(session)) {
            throw new UnfinishedCopyException("The file " + path);
        }
    }

    /** Refuses a file whose schema has what could run within the statements of the store, before one of them uses a table. */
    static void requireNothingForeign(SqliteSession session, Path path) {
        SchemaCheck schema = SchemaCheck.of(session);
        if (isCurrent(session)) {
            schema.requireNothingForeign(path);
        } else {
            schema.requireTablesAndIndexes(path);
        }
    }

    /** Tests whether a store has the current layout. */
    static boolean isCurrent(SqliteSession session) {
        return layout(session) == Layouts.VERSION;
    }

    /** Tests whether a file is a backup that was not opened as a store yet. */
    static boolean isBackup(SqliteSession session) {
        return session.pragmaNumber("application_id") == BACKUP_ID;
    }

    /** Tests whether a file holds a copy of another store that is not finished. */
    static boolean isUnfinishedCopy(SqliteSession session) {
        return session.pragmaNumber("application_id") == UNFINISHED_COPY_ID;
    }

    /** Returns the number of the layout of a store. */
    static int layout(SqliteSession session) {
        return (int) session.pragmaNumber("user_version");
    }

    /** Marks a file as a backup. */
    static void markAsBackup(SqliteSession session) {
        session.pragma("application_id = " + BACKUP_ID);
    }

    /** Tells what kind of file it is, and refuses all others. */
    static Kind inspect(SqliteSession session, Path path) {
        long applicationId;
        try {
            applicationId = session.pragmaNumber("application_id");
        } catch (StoreCorruptedException e) {
            if (!SqliteErrors.isNoDatabase(e)) {
                throw e;
            }
            throw new StoreFormatException(
                    path,
                    "The file " + path + " is not a store, or its beginning is damaged; it has not been touched",
                    "Give the store a path of its own, or restore a backup",
                    e);
        }
        int version = layout(session);
        requireUtf8(session, path);
        if (applicationId == APPLICATION_ID || applicationId == UNFINISHED_COPY_ID || applicationId == BACKUP_ID) {
            requireKnown(path, version);
            if (applicationId == UNFINISHED_COPY_ID && version < Layouts.VERSION) {
                throw new StoreFormatException(
                        path,
                        "The file " + path + " holds a copy that an earlier version has not finished; it has not been"
                                + " touched",
                        "Delete it, and copy the store again",
                        null);
            }
            return Kind.STORE;
        }
        if (applicationId == 0 && version == 0 && SchemaCheck.of(session).isEmpty()) {
            return Kind.NOTHING;
        }
        if (applicationId == 0 && LegacyLayout.isIn(session, tables(session))) {
            return Kind.LEGACY;
        }
        throw new StoreFormatException(
                path,
                "The file " + path + " is an SQLite database of another application; it has not been touched",
                "Give the store a path of its own",
                null);
    }

    private static void requireKnown(Path path, int version) {
        if (version > Layouts.VERSION) {
            throw new NewerStoreException(path, version, Layouts.VERSION);
        }
        if (version < 1) {
            throw new StoreFormatException(
                    path, "The store " + path + " has the unknown layout " + version, "Restore a backup", null);
        }
    }

    private static void requireUtf8(SqliteSession session, Path path) {
        String encoding = session.pragma("encoding");
        if (!"UTF-8".equals(encoding)) {
            throw new StoreFormatException(
                    path,
                    "The file " + path + " keeps its text as " + encoding
                            + " rather than UTF-8; it has not been touched",
                    "Copy its tables into a new database first",
                    null);
        }
    }

    private static List<String> tables(SqliteSession session) {
        return session.bind("SELECT name FROM sqlite_schema WHERE type = 'table'")
                .list(row -> row.getString(1));
    }
}
