package dev.ttlstore.sqlite;

import java.nio.file.Path;
import java.sql.SQLException;

/** The statements with which earlier versions have made their files, and some rows. They must never change. */
final class EarlierLayouts {

    /** A file of layout 1. */
    private static final String[] LAYOUT_1 = {
        "PRAGMA journal_mode = WAL",
        """
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
        """,
        "CREATE INDEX entry_expiry ON entry (expires_at) WHERE expires_at IS NOT NULL",
        """
        CREATE TABLE mark (
            id       INTEGER PRIMARY KEY CHECK (id = 1),
            sequence INTEGER NOT NULL,
            time     INTEGER NOT NULL
        ) STRICT
        """,
        "INSERT INTO mark (id, sequence, time) VALUES (1, 12, 1000)",
        "INSERT INTO entry VALUES ('group', 'permanent', CAST('for good' AS BLOB), 7, 900, 950, NULL)",
        "INSERT INTO entry VALUES ('group', 'living', CAST('for long' AS BLOB), 8, 900, 950, 32503680000000)",
        "INSERT INTO entry VALUES ('group', 'expired', CAST('for once' AS BLOB), 9, 900, 950, 1000)",
        "PRAGMA application_id = 0x54544C53",
        "PRAGMA user_version = 1",
    };

    /** What turns a file of layout 1 into one of layout 2. */
    private static final String[] LAYOUT_2 = {
        """
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
        """,
        "INSERT INTO retained VALUES (500, 'group', 'former', 3, CAST('long gone' AS BLOB), 100, 200)",
        "PRAGMA user_version = 2",
    };

    /** A file of layout 3. */
    private static final String[] LAYOUT_3 = {
        "PRAGMA application_id = " + 0x54_54_4C_53,
        "CREATE TABLE entry (id INTEGER PRIMARY KEY, grp TEXT NOT NULL, key TEXT NOT NULL, version INTEGER NOT NULL,"
                + " created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL, expires_at INTEGER, due_at INTEGER,"
                + " value BLOB NOT NULL) STRICT",
        "CREATE UNIQUE INDEX entry_name ON entry (grp, key)",
        "CREATE INDEX entry_due ON entry (due_at, grp, key) WHERE due_at IS NOT NULL",
        "CREATE TABLE mark (id INTEGER PRIMARY KEY CHECK (id = 1), sequence INTEGER NOT NULL, time INTEGER NOT NULL) STRICT",
        "INSERT INTO mark VALUES (1, 10, 0)",
        "CREATE TABLE retained (expires_at INTEGER NOT NULL, grp TEXT NOT NULL, key TEXT NOT NULL, version INTEGER NOT NULL,"
                + " value BLOB NOT NULL, created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL,"
                + " PRIMARY KEY (expires_at, grp, key, version)) STRICT, WITHOUT ROWID",
        "INSERT INTO entry VALUES (1, 'group', 'permanent', 5, 100, 200, NULL, NULL, CAST('for good' AS BLOB))",
        "INSERT INTO entry VALUES (2, 'group', 'expired', 6, 100, 200, 1000, 1000, CAST('for once' AS BLOB))",
        "PRAGMA user_version = 3"
    };

    /** What turns a file of layout 3 into one of layout 4, with expiries that wait for their handlers. */
    private static final String[] LAYOUT_4 = {
        "CREATE TABLE subscriber (name TEXT NOT NULL PRIMARY KEY, groups_from TEXT NOT NULL, groups_to TEXT)"
                + " STRICT, WITHOUT ROWID",
        "CREATE TABLE delivery (id INTEGER PRIMARY KEY AUTOINCREMENT, subscriber TEXT NOT NULL, grp TEXT NOT NULL,"
                + " key TEXT NOT NULL, version INTEGER NOT NULL, expires_at INTEGER NOT NULL, attempts INTEGER NOT NULL,"
                + " next_at INTEGER, error TEXT, value BLOB NOT NULL) STRICT",
        "CREATE INDEX delivery_due ON delivery (subscriber, next_at)",
        "CREATE INDEX delivery_key ON delivery (subscriber, grp, key)",
        "INSERT INTO subscriber VALUES ('mail', 'group', 'group' || char(0))",
        "INSERT INTO delivery VALUES (1, 'mail', 'group', 'a', 1, 100, 3, NULL, 'dead', CAST('a1' AS BLOB))",
        "INSERT INTO delivery VALUES (2, 'mail', 'group', 'a', 2, 200, 0, 200, NULL, CAST('a2' AS BLOB))",
        "INSERT INTO delivery VALUES (3, 'mail', 'group', 'b', 3, 250, 1, 900, 'failed', CAST('b3' AS BLOB))",
        "INSERT INTO delivery VALUES (4, 'mail', 'group', 'a', 4, 300, 0, 300, NULL, CAST('a4' AS BLOB))",
        "INSERT INTO delivery VALUES (5, 'mail', 'group', 'a', 5, 400, 0, 400, NULL, CAST('a5' AS BLOB))",
        "INSERT INTO delivery VALUES (6, 'gone', 'group', 'a', 6, 500, 0, 500, NULL, CAST('a6' AS BLOB))",
        "PRAGMA user_version = 4"
    };

    /** What turns a file of layout 4 into one of layout 5, with rows whose times contradict each other. */
    private static final String[] LAYOUT_5 = {
        "DROP INDEX delivery_key",
        "DELETE FROM delivery",
        "CREATE INDEX delivery_live ON delivery (subscriber, grp, key) WHERE next_at IS NOT NULL",
        "CREATE INDEX delivery_age ON delivery (subscriber, expires_at) WHERE next_at IS NOT NULL",
        "INSERT INTO entry VALUES (3, 'group', 'renewed', 7, 100, 200, 1500, 1200, CAST('r' AS BLOB))",
        "INSERT INTO entry VALUES (5, 'group', 'never due', 8, 100, 200, 1000, NULL, CAST('n' AS BLOB))",
        "INSERT INTO entry VALUES (8, 'group', 'due too late', 9, 100, 200, 1000, 2000, CAST('l' AS BLOB))",
        "INSERT INTO entry VALUES (9, 'group', 'due though permanent', 10, 100, 200, NULL, 1000, CAST('p' AS BLOB))",
        "PRAGMA user_version = 5"
    };

    /** What turns a file of layout 5 into one of layout 6, with a subscriber to a group and one to a prefix. */
    private static final String[] LAYOUT_6 = {
        "DROP TABLE entry",
        """
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
        """,
        "CREATE UNIQUE INDEX entry_name ON entry (grp, key)",
        "CREATE INDEX entry_due ON entry (due_at, grp, key) WHERE due_at IS NOT NULL",
        "INSERT INTO entry VALUES (1, 'group', 'expired', 9, 100, 200, 1000, 1000, CAST('g' AS BLOB))",
        "INSERT INTO entry VALUES (2, 'user-1', 'expired', 10, 100, 200, 1000, 1000, CAST('u' AS BLOB))",
        "INSERT INTO entry VALUES (3, 'acme:group', 'expired', 8, 100, 200, 1000, 1000, CAST('a' AS BLOB))",
        "UPDATE subscriber SET groups_to = 'group' || char(1) WHERE name = 'mail'",
        "INSERT INTO subscriber VALUES ('users', 'user-', 'user.')",
        "PRAGMA user_version = 6"
    };

    private static final String[][] FIRST = {LAYOUT_1, LAYOUT_2};

    private static final String[][] LATER = {LAYOUT_3, LAYOUT_4, LAYOUT_5, LAYOUT_6};

    private EarlierLayouts() {}

    /** Writes a file of a layout, which is not there yet. */
    static void write(Path file, int layout) throws SQLException {
        String[][] steps = layout <= FIRST.length ? FIRST : LATER;
        int last = layout <= FIRST.length ? layout : layout - FIRST.length;
        for (int i = 0; i < last; i++) {
            Sql.run(file, steps[i]);
        }
    }
}
