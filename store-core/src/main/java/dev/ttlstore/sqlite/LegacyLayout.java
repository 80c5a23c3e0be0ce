package dev.ttlstore.sqlite;

import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Locale;

import dev.ttlstore.engine.support.RecordCheck;
import dev.ttlstore.exception.StoreFormatException;

/**
 * The older layout of one table, {@code kv(grp, key, value[, expires_at])}. {@code expires_at} is in milliseconds
 * since the epoch, and null if an entry does not expire.
 */
final class LegacyLayout {

    private static final String COLUMNS = "SELECT name FROM pragma_table_info('kv') ORDER BY cid";

    /** An expiry before this, in 1973, was meant as seconds and not as milliseconds. */
    private static final long FIRST_EXPIRY = 100_000_000_000L;

    /**
     * Counts rows that a store could not name or read. It is better to migrate nothing than to lose one of them
     * silently.
     */
    private static final String COUNT_UNFIT = """
            SELECT count(*)
              FROM kv
             WHERE %s
                OR grp IS NULL OR key IS NULL OR value IS NULL
                OR length(CAST(grp AS BLOB)) NOT BETWEEN 1 AND 1024
                OR length(CAST(key AS BLOB)) NOT BETWEEN 1 AND 1024
                OR instr(CAST(grp AS BLOB), x'00') > 0
                OR instr(CAST(key AS BLOB), x'00') > 0
            """;

    private static final String UNFIT_EXPIRY =
            "typeof(expires_at) NOT IN ('null', 'integer') OR expires_at < " + FIRST_EXPIRY;

    private static final String NAMES = "SELECT CAST(grp AS BLOB), CAST(key AS BLOB) FROM kv";

    /**
     * The creation time of the entries is unknown, so it is now. If two rows have the same name, the later one wins.
     */
    private static final String TAKE_OVER = """
            INSERT INTO entry (grp, key, value, version, created_at, updated_at, expires_at, due_at)
            SELECT CAST(grp AS TEXT), CAST(key AS TEXT), CAST(value AS BLOB), row_number() OVER (),
                   now.millis, now.millis, %1$s, %1$s
              FROM kv, (SELECT CAST(unixepoch('subsec') * 1000 AS INTEGER) AS millis) AS now
             WHERE true
                ON CONFLICT (grp, key) DO UPDATE
               SET value = excluded.value, version = excluded.version, expires_at = excluded.expires_at,
                   due_at = excluded.due_at
            """;

    private LegacyLayout() {}

    static boolean isIn(SqliteSession session, List<String> tables) {
        if (!tables.contains("kv") || !Collections.disjoint(tables, Layouts.TABLES)) {
            return false;
        }
        List<String> columns = columns(session);
        return columns.equals(List.of("grp", "key", "value"))
                || columns.equals(List.of("grp", "key", "value", "expires_at"));
    }

    /** Migrates the entries into the new table. Runs in the transaction that creates the table. */
    static long takeOver(SqliteSession session, Path path) {
        boolean expiring = columns(session).contains("expires_at");
        long unfit =
                session.number(COUNT_UNFIT.formatted(expiring ? UNFIT_EXPIRY : "false")) + unreadableNames(session);
        if (unfit > 0) {
            throw new StoreFormatException(
                    path,
                    "The file " + path + " has the older layout, but " + unfit + " of its entries cannot be migrated:"
                            + " group and key must be 1 to 1,024 bytes of UTF-8 without NUL, no value may be"
                            + " missing, and expires_at must be null or milliseconds since the epoch. It has not been touched",
                    "Repair or delete these rows of table 'kv' first",
                    null);
        }
        session.execute(TAKE_OVER.formatted(expiring ? "expires_at" : "NULL"));
        session.execute("UPDATE mark SET sequence = (SELECT coalesce(max(version), 0) FROM entry)");
        ChecksumBackfill.run(session);
        session.execute("DROP TABLE kv");
        return session.number("SELECT count(*) FROM entry");
    }

    /** Counts names that are not valid UTF-8, because SQLite stores any bytes as text. */
    private static long unreadableNames(SqliteSession session) {
        long[] unreadable = {0};
        session.bind(NAMES).each(row -> {
            RecordCheck.Name name = EntryColumns.name(row, 1);
            unreadable[0] += name.group() == null || name.key() == null ? 1 : 0;
        });
        return unreadable[0];
    }

    private static List<String> columns(SqliteSession session) {
        return session.bind(COLUMNS).list(row -> row.getString(1).toLowerCase(Locale.ROOT));
    }
}
