package dev.ttlstore.sqlite;

import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Stream;

import dev.ttlstore.engine.HighWater;

/** The layouts of the file: the current one, and the SQL that migrates each earlier one to the next. */
final class Layouts {

    /**
     * The time of a delivery that waits for an earlier one of its key. It is at the end of the index of these times,
     * where no query looks.
     */
    static final long PARKED = Long.MAX_VALUE;

    /**
     * Names are compared byte by byte, which is SQLite's default for text. {@code expires_at} is null for a permanent
     * entry; times are milliseconds since the epoch. {@code due_at} is the row's place in the expiry index: never
     * after {@code expires_at}, and before it if a renewal has left the index unchanged. {@code aged_at} is the creation of an entry
     * of an indexed group, and null in all other groups, which therefore pay nothing for the index. The value is last, so
     * that the columns before it are read without stepping over it; only in a migrated file are others behind it.
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
                aged_at    INTEGER,
                checksum   INTEGER,
                value      BLOB    NOT NULL,
                CHECK ((due_at IS NULL) = (expires_at IS NULL) AND due_at <= expires_at)
            ) STRICT
            """;

    /** The entries of layouts 3 to 7. */
    private static final String CREATE_EARLIER_ENTRY = """
            CREATE TABLE entry (
                id         INTEGER PRIMARY KEY,
                grp        TEXT    NOT NULL,
                key        TEXT    NOT NULL,
                version    INTEGER NOT NULL,
                created_at INTEGER NOT NULL,
                updated_at INTEGER NOT NULL,
                expires_at INTEGER,
                due_at     INTEGER,
                value      BLOB    NOT NULL%s
            ) STRICT
            """;

    private static final String CREATE_UNCHECKED_ENTRY = CREATE_EARLIER_ENTRY.formatted("");

    /**
     * Since layout 6 the two times cannot contradict each other. A row that was due after its expiry would never be
     * removed.
     */
    private static final String CREATE_CHECKED_ENTRY = CREATE_EARLIER_ENTRY.formatted(
            ",\n    CHECK ((due_at IS NULL) = (expires_at IS NULL) AND due_at <= expires_at)");

    /** Repairs contradictions: such a row becomes due when it expires, and a permanent row never does. */
    private static final String TAKE_OVER_UNCHECKED = """
            INSERT INTO entry (id, grp, key, version, created_at, updated_at, expires_at, due_at, value)
            SELECT id, grp, key, version, created_at, updated_at, expires_at,
                   iif(due_at <= expires_at, due_at, expires_at), value
              FROM entry_unchecked
             ORDER BY id
            """;

    private static final String CREATE_ENTRY_NAME = "CREATE UNIQUE INDEX entry_name ON entry (grp, key)";

    /**
     * Includes the name, so that rows of the same millisecond have an order and a walk can continue at any row.
     */
    private static final String CREATE_ENTRY_DUE =
            "CREATE INDEX entry_due ON entry (due_at, grp, key) WHERE due_at IS NOT NULL";

    /** Since layout 8. SQLite adds columns at the end. */
    private static final String ADD_AGED_AT = "ALTER TABLE entry ADD COLUMN aged_at INTEGER";

    private static final String CREATE_ENTRY_AGE =
            "CREATE INDEX entry_age ON entry (grp, aged_at, key) WHERE aged_at IS NOT NULL";

    /**
     * The groups with entries in the age index. If {@code complete} is 0, some of their entries may be missing in it.
     */
    private static final String CREATE_AGED_GROUP = """
            CREATE TABLE aged_group (
                grp      TEXT    NOT NULL PRIMARY KEY,
                complete INTEGER NOT NULL
            ) STRICT, WITHOUT ROWID
            """;

    private static final String TAKE_OVER_CLUSTERED = """
            INSERT INTO entry (grp, key, version, created_at, updated_at, expires_at, due_at, value)
            SELECT grp, key, version, created_at, updated_at, expires_at, expires_at, value
              FROM entry_clustered
             ORDER BY grp, key
            """;

    /**
     * Has one row. No sequence number above the one in it is in use, and the store's time had reached at least the
     * time in it.
     */
    private static final String CREATE_MARK = """
            CREATE TABLE mark (
                id       INTEGER PRIMARY KEY CHECK (id = 1),
                sequence INTEGER NOT NULL,
                time     INTEGER NOT NULL,
                checksum INTEGER NOT NULL
            ) STRICT
            """;

    private static final String INSERT_MARK = "INSERT INTO mark (id, sequence, time, checksum) VALUES (1, 0, 0, %d)"
            .formatted(RowChecksum.of(new HighWater(0, 0)));

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

    /** Since layout 8. Finds the rows of a group that are to be forgotten before, or after, those of other groups. */
    private static final String CREATE_RETAINED_GROUP = "CREATE INDEX retained_group ON retained (grp, expires_at)";

    /** The subscribers to expiries, and their groups. The end of the range is null if it has none. */
    private static final String CREATE_SUBSCRIBER = """
            CREATE TABLE subscriber (
                name        TEXT NOT NULL PRIMARY KEY,
                groups_from TEXT NOT NULL,
                groups_to   TEXT
            ) STRICT, WITHOUT ROWID
            """;

    /**
     * Since layout 7 a subscriber may get the group of one name in every namespace. This is null for all others. An
     * older version must not open such a file, because it would not record these expiries.
     */
    private static final String ADD_NAME_IN_SCOPES = "ALTER TABLE subscriber ADD COLUMN name_in_scopes TEXT";

    /**
     * Expiries to deliver to a subscriber, recorded when the row was removed. {@code next_at} is the time of the next
     * attempt, {@link #PARKED} while another delivery of the key comes first, and null for a dead letter. Ids are not
     * reused, so a late outcome cannot be mistaken for the outcome of another delivery.
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

    /** The deliveries that wait for an attempt, by key and then, as in every index, by id. */
    private static final String CREATE_DELIVERY_LIVE =
            "CREATE INDEX delivery_live ON delivery (subscriber, grp, key) WHERE next_at IS NOT NULL";

    /** The same deliveries by age. This index counts them, and finds the oldest, which are dropped first. */
    private static final String CREATE_DELIVERY_AGE =
            "CREATE INDEX delivery_age ON delivery (subscriber, expires_at) WHERE next_at IS NOT NULL";

    /**
     * Until layout 5 each delivery had a time of its own, and checked at that time for an earlier delivery of its
     * key.
     */
    private static final String PARK_LATER_ONES = """
            UPDATE delivery
               SET next_at = %d
             WHERE next_at IS NOT NULL
               AND EXISTS (SELECT 1 FROM delivery AS earlier
                            WHERE earlier.subscriber = delivery.subscriber AND earlier.grp = delivery.grp
                              AND earlier.key = delivery.key AND earlier.next_at IS NOT NULL
                              AND earlier.id < delivery.id)
            """.formatted(PARKED);

    /** Until layout 5 an interrupted removal left deliveries without their subscriber. */
    private static final String REMOVE_ORPHANS =
            "DELETE FROM delivery WHERE subscriber NOT IN (SELECT name FROM subscriber)";

    /**
     * Since layout 9. The {@link RowChecksum} of the value; null only if the row was damaged before. An older version must not open such a
     * file, because it would change values without their checksums.
     */
    private static final String ADD_CHECKSUM = "ALTER TABLE %s ADD COLUMN checksum INTEGER";

    /** A column that is added needs a default. */
    private static final String ADDED_MARK_CHECKSUM = "checksum INTEGER NOT NULL DEFAULT 0";

    /** The columns of migrated tables whose definitions are not those of a new file, in lower case. */
    static final Set<String> MIGRATED_COLUMNS = Set.of(ADDED_MARK_CHECKSUM.toLowerCase(Locale.ROOT));

    /** The table that a file has until a copy into it is complete. */
    static final String COPY = "CREATE TABLE copy (source TEXT NOT NULL) STRICT";

    /** The statements that create the tables in an empty file. */
    static final List<String> CREATE = List.of(
            CREATE_ENTRY,
            CREATE_ENTRY_NAME,
            CREATE_ENTRY_DUE,
            CREATE_ENTRY_AGE,
            CREATE_AGED_GROUP,
            CREATE_MARK,
            INSERT_MARK,
            CREATE_RETAINED,
            CREATE_RETAINED_GROUP,
            CREATE_SUBSCRIBER,
            CREATE_DELIVERY,
            CREATE_DELIVERY_DUE,
            CREATE_DELIVERY_LIVE,
            CREATE_DELIVERY_AGE,
            ADD_NAME_IN_SCOPES,
            ADD_CHECKSUM.formatted("retained"),
            ADD_CHECKSUM.formatted("delivery"));

    /** The statements that migrate each layout to the next, beginning with layout 1. */
    private static final List<List<String>> STEPS = List.of(
            List.of(CREATE_RETAINED),
            List.of(
                    "ALTER TABLE entry RENAME TO entry_clustered",
                    CREATE_UNCHECKED_ENTRY,
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
                    "DROP INDEX entry_name", // faster to create again than to maintain
                    "DROP INDEX entry_due",
                    "ALTER TABLE entry RENAME TO entry_unchecked",
                    CREATE_CHECKED_ENTRY,
                    TAKE_OVER_UNCHECKED,
                    "DROP TABLE entry_unchecked",
                    CREATE_ENTRY_NAME,
                    CREATE_ENTRY_DUE),
            List.of(ADD_NAME_IN_SCOPES),
            List.of(ADD_AGED_AT, CREATE_ENTRY_AGE, CREATE_AGED_GROUP, CREATE_RETAINED_GROUP),
            List.of(
                    ADD_CHECKSUM.formatted("entry"),
                    ADD_CHECKSUM.formatted("retained"),
                    ADD_CHECKSUM.formatted("delivery"),
                    "ALTER TABLE mark ADD COLUMN " + ADDED_MARK_CHECKSUM));

    /** The first layout with checksums. Files of earlier ones get theirs from {@link ChecksumBackfill} after all steps. */
    static final int SEALED = 9;

    /** The current layout. */
    static final int VERSION = STEPS.size() + 1;

    /** The tables of a store. */
    static final List<String> TABLES = List.of("entry", "mark", "retained", "subscriber", "delivery", "aged_group");

    /**
     * How far a renewed row may lag behind in the expiry index: ten minutes. With a longer time, rows that are
     * renewed often would move less often, but walks would start further back.
     */
    static final long MAX_LAG_MILLIS = 600_000;

    private Layouts() {}

    /** Returns the statements that migrate a layout to the current one. */
    static Stream<String> migration(int from) {
        return STEPS.subList(from - 1, STEPS.size()).stream().flatMap(List::stream);
    }

    /** Returns the earliest place in the expiry index that a row with an expiry may have. */
    static long firstDue(long expiresAt) {
        return expiresAt < Long.MIN_VALUE + MAX_LAG_MILLIS ? Long.MIN_VALUE : expiresAt - MAX_LAG_MILLIS;
    }
}
