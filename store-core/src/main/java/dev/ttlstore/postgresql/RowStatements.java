package dev.ttlstore.postgresql;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

import dev.ttlstore.engine.Row;
import dev.ttlstore.engine.RowChange;
import dev.ttlstore.engine.RowKey;
import dev.ttlstore.postgresql.RowColumns.Column;
import dev.ttlstore.postgresql.RowColumns.Columns;

import static dev.ttlstore.postgresql.RowColumns.Type.BYTES;
import static dev.ttlstore.postgresql.RowColumns.Type.INTEGER;
import static dev.ttlstore.postgresql.RowColumns.Type.NUMBER;
import static dev.ttlstore.postgresql.RowColumns.Type.TEXT;

/**
 * The statements that store the changed rows of a commit: at most one of each kind, however many rows there are.
 *
 * @param slots the slots
 */
record RowStatements(Slots slots) {

    private static final String DUE_AT = ExpiryIndex.DUE_AT.formatted("excluded.expires_at", "entry.due_at");

    private static final String ON_CONFLICT = """
                ON CONFLICT (slot, grp, key) DO UPDATE
               SET version = excluded.version, created_at = excluded.created_at, updated_at = excluded.updated_at,
                   expires_at = excluded.expires_at, value = excluded.value, due_at =
            """ + DUE_AT;

    private static final String COLUMNS =
            "INSERT INTO @entry (slot, grp, key, version, created_at, updated_at, expires_at, due_at, value) ";

    private static final String PUT = COLUMNS + "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) " + ON_CONFLICT;

    private static final String PUT_VALUES = COLUMNS + "%s " + ON_CONFLICT;

    private static final String PUT_ALL = COLUMNS + """
            SELECT r.slot, r.grp, r.key, r.version, r.created_at, r.updated_at, r.expires_at, r.expires_at, r.value
              FROM unnest(?::int[], ?::text[], ?::text[], ?::bigint[], ?::bigint[], ?::bigint[], ?::bigint[], ?::bytea[])
                   r (slot, grp, key, version, created_at, updated_at, expires_at, value)
            """ + ON_CONFLICT;

    private static final String RENEW_ONE = """
            UPDATE @entry e
               SET expires_at = ?, due_at = %s
             WHERE e.slot = ? AND e.grp = ?::text AND e.key = ?::text
            """.formatted(ExpiryIndex.DUE_AT.formatted("?", "e.due_at"));

    private static final String RENEW = """
            UPDATE @entry e
               SET expires_at = r.expires_at, due_at = %s
              FROM unnest(?::int[], ?::text[], ?::text[], ?::bigint[]) r (slot, grp, key, expires_at)
             WHERE e.slot = r.slot AND e.grp = r.grp COLLATE "C" AND e.key = r.key COLLATE "C"{each e}
            """.formatted(ExpiryIndex.DUE_AT.formatted("r.expires_at", "e.due_at"));

    private static final String DELETE =
            "DELETE FROM @entry e WHERE e.slot = ? AND e.grp = ?::text AND e.key = ?::text";

    static final String DELETE_ALL = """
            DELETE FROM @entry e
             USING unnest(?::int[], ?::text[], ?::text[]) r (slot, grp, key)
             WHERE e.slot = r.slot AND e.grp = r.grp COLLATE "C" AND e.key = r.key COLLATE "C"{each e}
            """;

    private static final String RETAIN = """
            INSERT INTO @retained (slot, grp, key, version, created_at, updated_at, expires_at, value) %s
                ON CONFLICT DO NOTHING
            """;

    /** Where {@link #columns} has the expiry. */
    private static final int EXPIRY = 6;

    /** Adds what stores the changes. */
    void add(Script script, Collection<RowChange> changes) {
        List<Row> puts = new ArrayList<>();
        Columns deleted = Columns.names();
        Columns renewed = new Columns(INTEGER, TEXT, TEXT, NUMBER);
        for (RowChange change : changes) {
            Row after = change.after();
            if (after == null) {
                RowKey key = change.key();
                deleted.add(slots.of(key.group()), key.group(), key.key());
            } else if (change.isRenewal()) {
                RowKey key = after.key();
                renewed.add(slots.of(key.group()), key.group(), key.key(), RowColumns.time(after.expiresAt()));
            } else {
                puts.add(after);
            }
        }
        if (deleted.rows() == 1) {
            script.add(DELETE, deleted.row(0).toArray());
        } else if (!deleted.isEmpty()) {
            script.add(DELETE_ALL, deleted);
        }
        if (renewed.rows() == 1) {
            List<Object> one = renewed.row(0);
            Object expiry = one.get(3);
            script.add(RENEW_ONE, expiry, expiry, expiry, expiry, one.get(0), one.get(1), one.get(2));
        } else if (!renewed.isEmpty()) {
            script.add(RENEW, renewed);
        }
        put(script, puts);
    }

    private void put(Script script, List<Row> rows) {
        if (rows.size() == 1) {
            Row row = rows.get(0);
            Object expiry = Script.orNull(RowColumns.time(row.expiresAt()), NUMBER);
            script.add(
                    PUT,
                    slots.of(row.key().group()),
                    row.key(),
                    row.version(),
                    row.createdAt(),
                    row.updatedAt(),
                    expiry,
                    expiry,
                    row.value());
        } else if (script.isDistributed()) {
            List<Column> columns = new ArrayList<>(columns(rows).all());
            columns.add(columns.size() - 1, columns.get(EXPIRY)); // due_at
            script.insertValues(PUT_VALUES, new Columns(columns));
        } else if (!rows.isEmpty()) {
            script.add(PUT_ALL, columns(rows));
        }
    }

    /** Adds what retains expired rows. */
    void retain(Script script, Collection<Row> rows) {
        if (!rows.isEmpty()) {
            script.insert(RETAIN, columns(rows));
        }
    }

    /** Returns the columns slot, grp, key, version, created_at, updated_at, expires_at and value. */
    private Columns columns(Collection<Row> rows) {
        Columns columns = new Columns(INTEGER, TEXT, TEXT, NUMBER, NUMBER, NUMBER, NUMBER, BYTES);
        for (Row row : rows) {
            RowKey key = row.key();
            columns.add(
                    slots.of(key.group()),
                    key.group(),
                    key.key(),
                    row.version(),
                    row.createdAt(),
                    row.updatedAt(),
                    RowColumns.time(row.expiresAt()),
                    row.value());
        }
        return columns;
    }
}
