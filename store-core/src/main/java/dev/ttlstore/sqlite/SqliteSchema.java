package dev.ttlstore.sqlite;

import java.nio.file.Path;
import java.util.List;
import java.util.Objects;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.ttlstore.exception.NewerStoreException;
import dev.ttlstore.exception.StoreCorruptedException;
import dev.ttlstore.exception.StoreException;
import dev.ttlstore.exception.StoreFormatException;
import dev.ttlstore.exception.StoreFullException;

/** Identifies a file before changing anything in it, and migrates it to the current layout. */
final class SqliteSchema {

    private static final Logger log = LoggerFactory.getLogger(SqliteSchema.class);

    /** "TTLS" in ASCII, stored in the file's header to distinguish a store from other databases. */
    static final int APPLICATION_ID = 0x54_54_4C_53;

    /** "TTLC", stored there while the file holds an unfinished copy, so that no version of the store opens it. */
    static final int UNFINISHED_COPY_ID = 0x54_54_4C_43;

    private SqliteSchema() {}

    /**
     * Checks an opened database, and creates or migrates its tables.
     *
     * @param session a session on the database
     * @param file the file; null in memory
     * @param copying whether a file of another layout is copied before it is migrated
     */
    static void prepare(SqliteSession session, @Nullable StoreFile file, boolean copying) {
        if (file == null) {
            session.inTransaction(() -> create(session));
            return;
        }
        Path path = file.path();
        Kind kind = inspect(session, path);
        file.requireWholePages(number(session, "page_size"));
        switch (kind) {
            case STORE -> {
                int version = number(session, "user_version");
                if (version < Layouts.VERSION) {
                    if (copying) {
                        MigrationCopy.make(session, path, "layout-" + version);
                    }
                    bringUpToDate(session, path, version);
                }
            }
            case NOTHING -> session.inTransaction(() -> create(session));
            case LEGACY -> {
                log.info("The file {} has the older layout of one table 'kv'; migrating its entries", path);
                if (copying) {
                    MigrationCopy.make(session, path, "kv");
                }
                long taken = session.inTransaction(() -> {
                    create(session);
                    return LegacyLayout.takeOver(session, path);
                });
                log.info("Migrated {} entries into the store {}", taken, path);
            }
        }
        file.restrictToOwner();
    }

    /** The kinds of files that are accepted. */
    private enum Kind {
        STORE,
        NOTHING,
        LEGACY
    }

    /**
     * Refuses a file that is not a store, without changing it.
     *
     * @param path the file
     * @param url opens the file read-only
     */
    static void requireNotForeign(Path path, String url) {
        try (SqliteSession session = SqliteSession.open(url, new SqliteErrors(path.toString()))) {
            inspect(session, path);
        } catch (StoreFormatException e) {
            throw e;
        } catch (StoreException e) {
            log.debug("The format of the file {} cannot be determined before it is opened", path, e);
        }
    }

    private static Kind inspect(SqliteSession session, Path path) {
        int applicationId;
        try {
            applicationId = number(session, "application_id");
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
        int version = number(session, "user_version");
        requireUtf8(session, path);
        if (applicationId == APPLICATION_ID || applicationId == UNFINISHED_COPY_ID) {
            requireKnown(path, version);
            return Kind.STORE;
        }
        List<String> tables = tables(session);
        if (applicationId == 0 && version == 0 && tables.isEmpty()) {
            return Kind.NOTHING;
        }
        if (applicationId == 0 && LegacyLayout.isIn(session, tables)) {
            return Kind.LEGACY;
        }
        throw new StoreFormatException(
                path,
                "The file " + path + " is an SQLite database of another application; it has not been touched",
                "Give the store a path of its own",
                null);
    }

    private static boolean create(SqliteSession session) {
        session.pragma("application_id = " + APPLICATION_ID);
        return migrate(session, 0);
    }

    private static void bringUpToDate(SqliteSession session, Path path, int version) {
        try {
            session.inTransaction(() -> migrate(session, version));
        } catch (StoreFullException e) {
            throw new StoreFullException(
                    "The store " + path + " could not be migrated from layout " + version + " to " + Layouts.VERSION
                            + ", because its disk is full; it was not changed. Free about twice the size of the"
                            + " file, and open it again",
                    e);
        } catch (StoreException e) {
            if (!SqliteErrors.isRefusedStatement(e)) {
                throw e;
            }
            throw new StoreFormatException(
                    path,
                    "The store " + path + " cannot be migrated from layout " + version + " to " + Layouts.VERSION
                            + " and was not changed: its tables are not those that TTL Store made. "
                            + e.getMessage(),
                    "Undo what another program has changed in them, or restore a backup",
                    e);
        }
        log.info("The store {} was migrated from layout {} to {}", path, version, Layouts.VERSION);
    }

    private static boolean migrate(SqliteSession session, int from) {
        Layouts.STEPS.subList(from, Layouts.VERSION).forEach(step -> step.forEach(session::execute));
        session.pragma("user_version = " + Layouts.VERSION);
        return true;
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
        return session.call(() -> session.bind("SELECT name FROM sqlite_schema WHERE type = 'table'")
                .list(row -> row.getString(1)));
    }

    private static int number(SqliteSession session, String pragma) {
        return Integer.parseInt(Objects.requireNonNull(session.pragma(pragma), pragma));
    }
}
