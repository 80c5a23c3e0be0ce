package dev.ttlstore.postgresql;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

import dev.ttlstore.engine.Row;
import dev.ttlstore.engine.RowChange;
import dev.ttlstore.engine.RowKey;
import dev.ttlstore.postgresql.SlotColumns.Column;

/** The statements that store the changed rows of a commit: at most one of each kind, however many rows there are. */
final class RowStatements {

    private static final String DUE_AT = ExpiryIndex.DUE_AT.formatted("excluded.expires_at", "entry.due_at");

    private static final String ON_CONFLICT = """
                ON CONFLICT (slot, grp, key) DO UPDATE
               SET version = excluded.version, created_at = excluded.created_at, updated_at = excluded.updated_at,
                   expires_at = excluded.expires_at, value = excluded.value, due_at =
            """ + DUE_AT;

    private static final String COLUMNS =
            "INSERT INTO @entry (slot, grp, key, version, created_at, updated_at, expires_at, due_at, value) ";

    private static final String PUT = COLUMNS + "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) " + ON_CONFLICT;

    private static final String PUT_VALUES = COLUMNS + "VALUES %s " + ON_CONFLICT;

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

    private static final String RETAIN_VALUES = """
            INSERT INTO @retained (slot, grp, key, version, created_at, updated_at, expires_at, value)
            VALUES %s ON CONFLICT DO NOTHING
            """;

    private static final String RETAIN = """
            INSERT INTO @retained (slot, grp, key, version, created_at, updated_at, expires_at, value)
            SELECT r.* FROM unnest(?::int[], ?::text[], ?::text[], ?::bigint[], ?::bigint[], ?::bigint[], ?::bigint[], ?::bytea[])
                   r (slot, grp, key, version, created_at, updated_at, expires_at, value)
                ON CONFLICT DO NOTHING
            """;

    private final Slots slots;

    RowStatements(Slots slots) {
        this.slots = slots;
    }

    /** Adds what stores the changes. */
    void add(Script script, Collection<RowChange> changes) {
        Rows puts = new Rows();
        SlotColumns.Keys deleted = keys();
        SlotColumns.Keys renewed = keys();
        Column renewals = Column.numbers();
        for (RowChange change : changes) {
            Row before = change.before();
            Row after = change.after();
            if (after == null) {
                RowKey key = before == null ? null : before.key();
                if (key != null) {
                    deleted.add(slots.of(key.group()), key);
                }
            } else if (change.isRenewal()) {
                renewed.add(slots.of(after.key().group()), after.key());
                renewals.add(SlotColumns.time(after.expiresAt()));
            } else {
                puts.add(after);
            }
        }
        if (deleted.keys().size() == 1) {
            script.add(
                    DELETE,
                    deleted.slots().only(),
                    deleted.groups().only(),
                    deleted.keys().only());
        } else if (deleted.keys().size() > 0) {
            script.add(DELETE_ALL, deleted.slots(), deleted.groups(), deleted.keys());
        }
        if (renewals.size() == 1) {
            Object expiry = Script.orNull((Long) renewals.only());
            script.add(
                    RENEW_ONE,
                    expiry,
                    expiry,
                    expiry,
                    expiry,
                    renewed.slots().only(),
                    renewed.groups().only(),
                    renewed.keys().only());
        } else if (renewals.size() > 0) {
            script.add(RENEW, renewed.slots(), renewed.groups(), renewed.keys(), renewals);
        }
        puts.store(script);
    }

    /** Adds what retains expired rows. */
    void retain(Script script, Collection<Row> rows) {
        Rows retained = new Rows();
        rows.forEach(retained::add);
        if (script.isDistributed()) {
            script.addValues(RETAIN_VALUES, retained.columns());
        } else {
            retained.addTo(script, RETAIN);
        }
    }

    private static SlotColumns.Keys keys() {
        return new SlotColumns.Keys(Column.integers(), Column.texts(), Column.texts());
    }

    private final class Rows {
        private final SlotColumns.Keys names = keys();
        private final Column versions = Column.numbers();
        private final Column creations = Column.numbers();
        private final Column updates = Column.numbers();
        private final Column expiries = Column.numbers();
        private final Column values = Column.bytes();

        private void add(Row row) {
            names.add(slots.of(row.key().group()), row.key());
            versions.add(row.version());
            creations.add(row.createdAt());
            updates.add(row.updatedAt());
            expiries.add(SlotColumns.time(row.expiresAt()));
            values.add(row.value());
        }

        private void store(Script script) {
            if (values.size() == 1) {
                Object expiry = Script.orNull((Long) expiries.only());
                script.add(
                        PUT,
                        names.slots().only(),
                        names.groups().only(),
                        names.keys().only(),
                        versions.only(),
                        creations.only(),
                        updates.only(),
                        expiry,
                        expiry,
                        values.only());
            } else if (script.isDistributed()) {
                List<Column> columns = new ArrayList<>(columns());
                columns.add(columns.size() - 1, expiries); // due_at
                script.addValues(PUT_VALUES, columns);
            } else {
                addTo(script, PUT_ALL);
            }
        }

        private List<Column> columns() {
            return List.of(names.slots(), names.groups(), names.keys(), versions, creations, updates, expiries, values);
        }

        private void addTo(Script script, String template) {
            if (values.size() > 0) {
                script.add(template, columns().toArray());
            }
        }
    }
}
