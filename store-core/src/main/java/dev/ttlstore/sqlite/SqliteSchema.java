package dev.ttlstore.sqlite;

import java.nio.file.Path;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.util.ArrayList;
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

/** Finds out what a file is before anything in it is changed, and makes it a store of the current version. */
final class SqliteSchema {

    private static final Logger log = LoggerFactory.getLogger(SqliteSchema.class);

    /** "TTLS" in ASCII, kept in the file's header so that a store can be told from any other database. */
    static final int APPLICATION_ID = 0x54_54_4C_53;

    static final int VERSION = 6;

    /**
     * In place of the time at which a delivery is to be tried: one of its key comes first. It is at the end of the index of
     * these times, where nobody looks.
     */
    static final long PARKED = Long.MAX_VALUE;

    /** The entries of layouts 1 and 2. */
    private static final String CREATE_CLUSTERED_ENTRY = """
            CREATE TABLE entry (
                grp        TEXT    NOT NULL,
                key        TEXT    NOT NULL,
                value      BLOB    NOT NULL,
                version    INTEGER NOT NULL,
                created_at INTEGER NOT NULL,
                updated_at INTEGER NOT NULL,
                expires_at INTEGER,
                PRIMARY KEY (grp, key)
            ) STRICT, WITHOUT ROWID
            """;

    private static final String CREATE_CLUSTERED_EXPIRY =
            "CREATE INDEX entry_expiry ON entry (expires_at) WHERE expires_at IS NOT NULL";

    /**
     * Names are compared byte by byte, which is what SQLite does with text unless told otherwise. {@code expires_at} is
     * null for an entry that does not expire; times are milliseconds since the epoch. {@code due_at} is its place in the
     * expiry index: never after {@code expires_at}, and before it where a renewal has left the index alone. The value is
     * last, so that what comes before is read without walking over it.
     */
    private static final String CREATE_ENTRY = """
            CREATE TABLE entry (
                id         INTEGER PRIMARY KEY,
                grp        TEXT    NOT NULL,
                key        TEXT    NOT NULL,
                version    INTEGER NOT NULL,
                created_at INTEGER NOT NULL,
                updated_at INTEGER NOT NULL,
                expires_at INTEGER,
                due_at     INTEGER,
                value      BLOB    NOT NULL
            ) STRICT
            """;

    /** Since layout 6 the two times cannot contradict each other; a row that is due after its expiry would never be found. */
    private static final String CREATE_CHECKED_ENTRY = """
            CREATE TABLE entry (
                id         INTEGER PRIMARY KEY,
                grp        TEXT    NOT NULL,
                key        TEXT    NOT NULL,
                version    INTEGER NOT NULL,
                created_at INTEGER NOT NULL,
                updated_at INTEGER NOT NULL,
                expires_at INTEGER,
                due_at     INTEGER,
                value      BLOB    NOT NULL,
                CHECK ((due_at IS NULL) = (expires_at IS NULL) AND due_at <= expires_at)
            ) STRICT
            """;

    /** What contradicts itself is due when it expires, and a permanent row never is. */
    private static final String TAKE_OVER_UNCHECKED = """
            INSERT INTO entry (id, grp, key, version, created_at, updated_at, expires_at, due_at, value)
            SELECT id, grp, key, version, created_at, updated_at, expires_at,
                   iif(due_at <= expires_at, due_at, expires_at), value
              FROM entry_unchecked
             ORDER BY id
            """;

    private static final String CREATE_ENTRY_NAME = "CREATE UNIQUE INDEX entry_name ON entry (grp, key)";

    /** With the name, which orders what is due in the same millisecond, so that a walk can be gone on with anywhere. */
    private static final String CREATE_ENTRY_DUE =
            "CREATE INDEX entry_due ON entry (due_at, grp, key) WHERE due_at IS NOT NULL";

    private static final String TAKE_OVER_CLUSTERED = """
            INSERT INTO entry (grp, key, version, created_at, updated_at, expires_at, due_at, value)
            SELECT grp, key, version, created_at, updated_at, expires_at, expires_at, value
              FROM entry_clustered
             ORDER BY grp, key
            """;

    /** One row: no sequence number above the one here is in use, and the store's time had come at least this far. */
    private static final String CREATE_MARK = """
            CREATE TABLE mark (
                id       INTEGER PRIMARY KEY CHECK (id = 1),
                sequence INTEGER NOT NULL,
                time     INTEGER NOT NULL
            ) STRICT
            """;

    /** Expired entries that were removed and are kept for an audit, in the order in which they are listed. */
    private static final String CREATE_RETAINED = """
            CREATE TABLE retained (
                expires_at INTEGER NOT NULL,
                grp        TEXT    NOT NULL,
                key        TEXT    NOT NULL,
                version    INTEGER NOT NULL,
                value      BLOB    NOT NULL,
                created_at INTEGER NOT NULL,
                updated_at INTEGER NOT NULL,
                PRIMARY KEY (expires_at, grp, key, version)
            ) STRICT, WITHOUT ROWID
            """;

    /** Who is to be told of expiries, and of which groups; the end of the range is null if it has none. */
    private static final String CREATE_SUBSCRIBER = """
            CREATE TABLE subscriber (
                name        TEXT NOT NULL PRIMARY KEY,
                groups_from TEXT NOT NULL,
                groups_to   TEXT
            ) STRICT, WITHOUT ROWID
            """;

    /**
     * Expiries that a subscriber is still to be told of, recorded with the removal of the row. {@code next_at} is when to do
     * so, {@link #PARKED} while another one of the key comes first, and null for a dead letter. Numbers are not used twice, for a late answer must not be taken for that of another.
     */
    private static final String CREATE_DELIVERY = """
            CREATE TABLE delivery (
                id         INTEGER PRIMARY KEY AUTOINCREMENT,
                subscriber TEXT    NOT NULL,
                grp        TEXT    NOT NULL,
                key        TEXT    NOT NULL,
                version    INTEGER NOT NULL,
                expires_at INTEGER NOT NULL,
                attempts   INTEGER NOT NULL,
                next_at    INTEGER,
                error      TEXT,
                value      BLOB    NOT NULL
            ) STRICT
            """;

    private static final String CREATE_DELIVERY_DUE = "CREATE INDEX delivery_due ON delivery (subscriber, next_at)";

    private static final String CREATE_DELIVERY_KEY = "CREATE INDEX delivery_key ON delivery (subscriber, grp, key)";

    /** The deliveries that are to be tried, by key and then, as in every index, by id. */
    private static final String CREATE_DELIVERY_LIVE =
            "CREATE INDEX delivery_live ON delivery (subscriber, grp, key) WHERE next_at IS NOT NULL";

    /** The same by age: it tells how many there are, which is the oldest, and which are dropped first. */
    private static final String CREATE_DELIVERY_AGE =
            "CREATE INDEX delivery_age ON delivery (subscriber, expires_at) WHERE next_at IS NOT NULL";

    /** Until layout 5 each was given a time, and looked whether an earlier one of its key was there when it had come. */
    private static final String PARK_LATER_ONES = """
            UPDATE delivery
               SET next_at = %d
             WHERE next_at IS NOT NULL
               AND EXISTS (SELECT 1 FROM delivery AS earlier
                            WHERE earlier.subscriber = delivery.subscriber AND earlier.grp = delivery.grp
                              AND earlier.key = delivery.key AND earlier.next_at IS NOT NULL
                              AND earlier.id < delivery.id)
            """.formatted(PARKED);

    /** Until layout 5 a removal that was cut short left deliveries without their subscriber. */
    private static final String REMOVE_ORPHANS =
            "DELETE FROM delivery WHERE subscriber NOT IN (SELECT name FROM subscriber)";

    /** What leads from each version to the next; all of them, from an empty file to a store. */
    private static final List<List<String>> STEPS = List.of(
            List.of(
                    CREATE_CLUSTERED_ENTRY,
                    CREATE_CLUSTERED_EXPIRY,
                    CREATE_MARK,
                    "INSERT INTO mark (id, sequence, time) VALUES (1, 0, 0)"),
            List.of(CREATE_RETAINED),
            List.of(
                    "ALTER TABLE entry RENAME TO entry_clustered",
                    CREATE_ENTRY,
                    TAKE_OVER_CLUSTERED,
                    "DROP TABLE entry_clustered",
                    CREATE_ENTRY_NAME,
                    CREATE_ENTRY_DUE),
            List.of(CREATE_SUBSCRIBER, CREATE_DELIVERY, CREATE_DELIVERY_DUE, CREATE_DELIVERY_KEY),
            List.of(
                    "DROP INDEX delivery_key",
                    REMOVE_ORPHANS,
                    CREATE_DELIVERY_LIVE,
                    PARK_LATER_ONES,
                    CREATE_DELIVERY_AGE),
            List.of(
                    "DROP INDEX entry_name", // faster made anew than kept up
                    "DROP INDEX entry_due",
                    "ALTER TABLE entry RENAME TO entry_unchecked",
                    CREATE_CHECKED_ENTRY,
                    TAKE_OVER_UNCHECKED,
                    "DROP TABLE entry_unchecked",
                    CREATE_ENTRY_NAME,
                    CREATE_ENTRY_DUE));

    /** The tables that a store has. */
    static final List<String> TABLES = List.of("entry", "mark", "retained", "subscriber", "delivery");

    /**
     * How far a renewal may leave its row behind in the expiry index: ten minutes. A longer time would have sessions that
     * are touched all the while move less often, and walks begin further back.
     */
    static final long MAX_LAG_MILLIS = 600_000;

    private SqliteSchema() {}

    /** The earliest place in the expiry index at which a row of an expiry may be. */
    static long firstDue(long expiresAt) {
        return expiresAt < Long.MIN_VALUE + MAX_LAG_MILLIS ? Long.MIN_VALUE : expiresAt - MAX_LAG_MILLIS;
    }

    /**
     * Checks what has been opened, and makes it ready.
     *
     * @param session a session on it
     * @param file the file; null in memory
     */
    static void prepare(SqliteSession session, @Nullable StoreFile file) {
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
                if (version < VERSION) {
                    bringUpToDate(session, path, version);
                }
            }
            case NOTHING -> session.inTransaction(() -> create(session));
            case LEGACY -> {
                log.info("The file {} has the older layout of one table 'kv'; taking over its entries", path);
                long taken = session.inTransaction(() -> {
                    create(session);
                    return LegacyLayout.takeOver(session, path);
                });
                log.info("Taken over {} entries into the store {}", taken, path);
            }
        }
        file.restrictToOwner();
    }

    /** What a file may be that is not refused. */
    private enum Kind {
        STORE,
        NOTHING,
        LEGACY
    }

    /**
     * Refuses a file that is no store, by what can be read of it as it lies there.
     *
     * @param path the file
     * @param url opens it for reading alone
     */
    static void requireNotForeign(Path path, String url) {
        try (SqliteSession session = SqliteSession.open(url, new SqliteErrors(path.toString()))) {
            inspect(session, path);
        } catch (StoreFormatException e) {
            throw e;
        } catch (StoreException e) {
            log.debug("What the file {} is cannot be told before it is opened", path, e);
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
                    "The file " + path + " is no store, or its beginning is damaged; it has not been touched",
                    "Give the store a path of its own, or restore a backup",
                    e);
        }
        int version = number(session, "user_version");
        requireUtf8(session, path);
        if (applicationId == APPLICATION_ID) {
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
                    "The store " + path + " is to be brought from layout " + version + " to " + VERSION
                            + " and was left as it was, for there is no room left on its disk: free about twice the size"
                            + " of the file, and open it again",
                    e);
        } catch (StoreException e) {
            if (!SqliteErrors.isRefusedStatement(e)) {
                throw e;
            }
            throw new StoreFormatException(
                    path,
                    "The store " + path + " cannot be brought from layout " + version + " to " + VERSION
                            + " and was left as it was: its tables are not those that TTL Store made. "
                            + e.getMessage(),
                    "Undo what another program has changed in them, or restore a backup",
                    e);
        }
        log.info("The store {} was brought from layout {} to {}", path, version, VERSION);
    }

    private static boolean migrate(SqliteSession session, int from) {
        STEPS.subList(from, VERSION).forEach(step -> step.forEach(session::execute));
        session.pragma("user_version = " + VERSION);
        return true;
    }

    private static void requireKnown(Path path, int version) {
        if (version > VERSION) {
            throw new NewerStoreException(path, version, VERSION);
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
        return session.call(() -> {
            PreparedStatement statement = session.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'");
            List<String> names = new ArrayList<>();
            try (ResultSet result = statement.executeQuery()) {
                while (result.next()) {
                    names.add(result.getString(1));
                }
            }
            return names;
        });
    }

    private static int number(SqliteSession session, String pragma) {
        return Integer.parseInt(Objects.requireNonNull(session.pragma(pragma), pragma));
    }
}
