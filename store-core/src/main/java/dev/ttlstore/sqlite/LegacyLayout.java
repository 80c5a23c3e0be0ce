package dev.ttlstore.sqlite;

import java.nio.file.Path;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.util.ArrayList;
import java.util.List;

import dev.ttlstore.StoreFormatException;

/**
 * The older layout of one table, {@code kv(grp, key, value[, expires_at])}, with {@code expires_at} in milliseconds since
 * the epoch, null where an entry does not expire.
 */
final class LegacyLayout {

    private static final String COLUMNS = "SELECT name FROM pragma_table_info('kv') ORDER BY cid";

    /** Rows that could not be named or read in a store. Better to take over nothing than to lose one of them quietly. */
    private static final String COUNT_UNFIT = """
            SELECT count(*)
              FROM kv
             WHERE grp IS NULL OR key IS NULL OR value IS NULL
                OR length(CAST(grp AS BLOB)) NOT BETWEEN 1 AND 1024
                OR length(CAST(key AS BLOB)) NOT BETWEEN 1 AND 1024
                OR instr(CAST(grp AS BLOB), x'00') > 0
                OR instr(CAST(key AS BLOB), x'00') > 0
            """;

    /** Nothing is known of when the entries were made, so it is now. A later row wins where two have one name. */
    private static final String TAKE_OVER = """
            INSERT INTO entry (grp, key, value, version, created_at, updated_at, expires_at)
            SELECT CAST(grp AS TEXT), CAST(key AS TEXT), CAST(value AS BLOB), row_number() OVER (),
                   now.millis, now.millis, %s
              FROM kv, (SELECT CAST(unixepoch('subsec') * 1000 AS INTEGER) AS millis) AS now
             WHERE true
                ON CONFLICT (grp, key) DO UPDATE
               SET value = excluded.value, version = excluded.version, expires_at = excluded.expires_at
            """;

    private LegacyLayout() {}

    static boolean isIn(SqliteSession session, List<String> tables) {
        if (!tables.contains("kv")) {
            return false;
        }
        List<String> columns = columns(session);
        return columns.equals(List.of("grp", "key", "value"))
                || columns.equals(List.of("grp", "key", "value", "expires_at"));
    }

    /** Moves the entries into the new table; run in one transaction with its creation. */
    static long takeOver(SqliteSession session, Path path) {
        long unfit = session.call(() -> {
            try (ResultSet result = session.prepare(COUNT_UNFIT).executeQuery()) {
                result.next();
                return result.getLong(1);
            }
        });
        if (unfit > 0) {
            throw new StoreFormatException(
                    path,
                    "The file " + path + " has the older layout, but " + unfit + " of its entries cannot be taken over:"
                            + " group and key must be 1 to 1,024 bytes without NUL, and no value may be missing."
                            + " It has not been touched; mend or delete these rows of table 'kv' first");
        }
        String expiry = columns(session).contains("expires_at") ? "CAST(expires_at AS INTEGER)" : "NULL";
        session.execute(TAKE_OVER.formatted(expiry));
        session.execute("UPDATE mark SET sequence = (SELECT coalesce(max(version), 0) FROM entry)");
        session.execute("DROP TABLE kv");
        return session.call(() -> {
            try (ResultSet result =
                    session.prepare("SELECT count(*) FROM entry").executeQuery()) {
                result.next();
                return result.getLong(1);
            }
        });
    }

    private static List<String> columns(SqliteSession session) {
        return session.call(() -> {
            PreparedStatement statement = session.prepare(COLUMNS);
            List<String> names = new ArrayList<>();
            try (ResultSet result = statement.executeQuery()) {
                while (result.next()) {
                    names.add(result.getString(1));
                }
            }
            return names;
        });
    }
}
