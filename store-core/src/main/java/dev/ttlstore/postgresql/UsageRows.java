package dev.ttlstore.postgresql;

import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

import dev.ttlstore.engine.ExpiryRow;
import dev.ttlstore.engine.GroupRange;
import dev.ttlstore.engine.NamespaceUsage;
import dev.ttlstore.engine.Namespaces;
import dev.ttlstore.engine.RowChange;
import dev.ttlstore.engine.RowKey;
import dev.ttlstore.postgresql.RowColumns.Column;
import dev.ttlstore.postgresql.RowColumns.Columns;

import static dev.ttlstore.postgresql.RowColumns.Type.INTEGER;
import static dev.ttlstore.postgresql.RowColumns.Type.NUMBER;
import static dev.ttlstore.postgresql.RowColumns.Type.TEXT;
import static java.util.Objects.requireNonNull;

/**
 * The usage of namespaces in a commit. A namespace is counted when its usage is first asked for; from then on, each commit of
 * each node changes its rows, whether or not that node knows of a quota. Used by one thread, under the locks of the slots.
 */
final class UsageRows {

    private static final String LOAD = """
            SELECT u.namespace, u.grp, u.keys, u.bytes, u.groups
              FROM @usage u
             WHERE u.slot = ? AND u.namespace = ?::text AND u.grp = ANY (?)
            """;

    private static final String COUNT = """
            INSERT INTO @usage (slot, namespace, grp, keys, bytes, groups)
            SELECT e.slot, ?, e.grp, count(*), sum(octet_length(e.key) + octet_length(e.value)), 0
              FROM @entry e
             WHERE e.slot = ? AND e.grp >= ?::text AND (?::text IS NULL OR e.grp < ?::text)
             GROUP BY e.slot, e.grp
            """;

    /** Begins with the row of the slot, because a namespace without groups has a sum as well. */
    private static final String SUM = """
            INSERT INTO @usage (slot, namespace, grp, keys, bytes, groups)
            SELECT s.slot, ?, '', coalesce(sum(g.keys), 0), coalesce(sum(g.bytes), 0), pg_catalog.count(g.keys)
              FROM @slot s
              LEFT JOIN @usage g ON g.slot = s.slot AND g.namespace = ?::text
             WHERE s.slot = ?
             GROUP BY s.slot
            """;

    /** Changes the rows of groups, and the sum with them, of namespaces that are counted. */
    private static final String CHANGE = """
            WITH g AS (
                INSERT INTO @usage (slot, namespace, grp, keys, bytes, groups)
                SELECT d.slot, d.namespace, d.grp, d.keys, d.bytes, 0
                  FROM unnest(?::int[], ?::text[], ?::text[], ?::bigint[], ?::bigint[]) d (slot, namespace, grp, keys, bytes)
                 WHERE EXISTS (SELECT 1 FROM @usage t WHERE t.slot = d.slot AND t.namespace = d.namespace AND t.grp = '')
                    ON CONFLICT (slot, namespace, grp) DO UPDATE
                   SET keys = usage.keys + excluded.keys, bytes = usage.bytes + excluded.bytes
                RETURNING slot, namespace, grp, keys
            ), sums AS (
                SELECT g.slot, g.namespace, sum(d.keys)::bigint AS keys, sum(d.bytes)::bigint AS bytes,
                       sum((g.keys > 0)::int - (g.keys - d.keys > 0)::int) AS groups
                  FROM g
                  JOIN unnest(?::int[], ?::text[], ?::text[], ?::bigint[], ?::bigint[]) d (slot, namespace, grp, keys, bytes)
                    ON d.slot = g.slot AND d.namespace = g.namespace AND d.grp = g.grp
                 GROUP BY g.slot, g.namespace
            )
            UPDATE @usage u
               SET keys = u.keys + sums.keys, bytes = u.bytes + sums.bytes, groups = u.groups + sums.groups
              FROM sums
             WHERE u.slot = sums.slot AND u.namespace = sums.namespace AND u.grp = ''
            """;

    /** The change of one namespace, for a distributed database, which cannot change rows within a query. */
    private static final String CHANGE_GROUPS = """
            INSERT INTO @usage (slot, namespace, grp, keys, bytes, groups)
            SELECT t.slot, t.namespace, d.grp, d.keys, d.bytes, 0
              FROM @usage t
             CROSS JOIN unnest(?::text[], ?::bigint[], ?::bigint[]) d (grp, keys, bytes)
             WHERE t.slot = ? AND t.namespace = ?::text AND t.grp = ''
                ON CONFLICT (slot, namespace, grp) DO UPDATE
               SET keys = usage.keys + excluded.keys, bytes = usage.bytes + excluded.bytes
            """;

    private static final String CHANGE_SUM = """
            UPDATE @usage u
               SET keys = u.keys + sums.keys, bytes = u.bytes + sums.bytes, groups = u.groups + sums.groups
              FROM (SELECT sum(d.keys)::bigint AS keys, sum(d.bytes)::bigint AS bytes,
                           sum((g.keys > 0)::int - (g.keys - d.keys > 0)::int) AS groups
                      FROM @usage g
                      JOIN unnest(?::text[], ?::bigint[], ?::bigint[]) d (grp, keys, bytes) ON g.grp = d.grp COLLATE "C"
                     WHERE g.slot = ? AND g.namespace = ?::text) sums
             WHERE u.slot = ? AND u.namespace = ?::text AND u.grp = ''
            """;

    private static final String SUBTRACT = """
            UPDATE @usage u
               SET keys = u.keys - g.keys, bytes = u.bytes - g.bytes, groups = u.groups - (g.keys > 0)::int
              FROM @usage g
             WHERE g.slot = ? AND g.namespace = ?::text AND g.grp = ?::text AND u.slot = ? AND u.namespace = ?::text AND u.grp = ''
            """;

    /** Removes the rows of groups that have become empty. */
    private static final String REMOVE_EMPTY = """
            DELETE FROM @usage u
             USING unnest(?::int[], ?::text[], ?::text[]) d (slot, namespace, grp)
             WHERE u.slot = d.slot AND u.namespace = d.namespace AND u.grp = d.grp COLLATE "C" AND u.keys = 0{each u}
            """;

    private static final String REMOVE =
            "DELETE FROM @usage u WHERE u.slot = ? AND u.namespace = ?::text AND u.grp = ?::text";

    private final QueryRunner runner;
    private final Slots slots;
    private final Map<String, Delta> deltas = new LinkedHashMap<>();

    private static final class Delta {
        private long keys;
        private long bytes;
    }

    UsageRows(QueryRunner runner, Slots slots) {
        this.runner = runner;
        this.slots = slots;
    }

    /** Adds the queries for the usage of some namespaces, with that of the groups of some rows. */
    Map<String, Found> load(Script script, Collection<String> namespaces, Collection<RowKey> keys) {
        Map<String, Found> found = new HashMap<>();
        for (String namespace : namespaces) {
            Found usage = new Found(namespace);
            found.put(namespace, usage);
            Set<String> groups = keys.stream()
                    .map(RowKey::group)
                    .filter(group -> namespace.equals(Namespaces.of(group)))
                    .collect(Collectors.toSet());
            groups.forEach(group -> usage.rows.put(group, 0L));
            usage.load(script, groups);
        }
        return found;
    }

    /** Adds the statements that count those namespaces that were not counted before, if there are any. */
    Script countMissing(Script script, Collection<Found> found) {
        for (Found usage : found) {
            if (usage.counted) {
                continue;
            }
            GroupRange groups = Namespaces.groups(usage.namespace);
            int slot = usage.slot();
            script.add(COUNT, usage.namespace, slot, groups).add(SUM, usage.namespace, usage.namespace, slot);
            usage.load(script, Set.copyOf(usage.rows.keySet()));
        }
        return script;
    }

    /** The usage of a namespace as it was loaded. */
    final class Found {
        private final String namespace;
        private final Map<String, Long> rows = new HashMap<>();
        private boolean counted;
        private long keys;
        private long bytes;
        private long groups;

        private Found(String namespace) {
            this.namespace = namespace;
        }

        String namespace() {
            return namespace;
        }

        /** Tests whether there were rows with the usage. */
        boolean isCounted() {
            return counted;
        }

        /** Tests whether another usage has the same figures, as far as this one was asked for them. */
        boolean isSame(NamespaceUsage other) {
            return other.keys() == keys
                    && other.groups() == groups
                    && other.bytes() == bytes
                    && rows.entrySet().stream().allMatch(group -> other.rowsOf(group.getKey()) == group.getValue());
        }

        int slot() {
            return slots.of(Namespaces.prefix(namespace));
        }

        private void load(Script script, Set<String> some) {
            Column names = new Column(TEXT);
            names.add("");
            some.forEach(names::add);
            script.query(
                    LOAD,
                    row -> {
                        String group = row.getString(2);
                        if (group.isEmpty()) {
                            counted = true;
                            keys = row.getLong(3);
                            bytes = row.getLong(4);
                            groups = row.getLong(5);
                        } else {
                            rows.put(group, row.getLong(3));
                        }
                    },
                    slot(),
                    namespace,
                    names);
        }

        NamespaceUsage usage() {
            return new NamespaceUsage(keys, groups, bytes, this::rows);
        }

        private long rows(String group) {
            return rows.computeIfAbsent(group, name -> {
                Long found = runner.<Long>first(
                        LOAD, row -> row.getLong(3), slot(), namespace, RowColumns.texts(List.of(name)));
                return found == null ? 0L : found;
            });
        }
    }

    /** Counts a changed row. */
    void add(RowChange change) {
        add(change.key().group(), change.addedRows(), change.addedBytes());
    }

    /** Counts a removed row. */
    void removed(ExpiryRow row) {
        add(row.key().group(), -1, -row.bytes());
    }

    private void add(String group, long keys, long bytes) {
        if (Namespaces.of(group) != null) {
            Delta delta = deltas.computeIfAbsent(group, name -> new Delta());
            delta.keys += keys;
            delta.bytes += bytes;
        }
    }

    /** Adds the removal of all rows of a group. */
    void clear(Script script, String group) {
        String namespace = Namespaces.of(group);
        if (namespace != null) {
            flush(script);
            int slot = slots.of(group);
            script.add(SUBTRACT, slot, namespace, group, slot, namespace).add(REMOVE, slot, namespace, group);
        }
    }

    /** Whether anything was counted that is not stored yet. */
    boolean isChanged() {
        return !deltas.isEmpty();
    }

    /** Adds what was counted so far. */
    void flush(Script script) {
        deltas.values().removeIf(delta -> delta.keys == 0 && delta.bytes == 0);
        List<String> shrunk = deltas.entrySet().stream()
                .filter(delta -> delta.getValue().keys < 0)
                .map(Map.Entry::getKey)
                .toList();
        if (script.isDistributed()) {
            flushEach(script);
        } else if (!deltas.isEmpty()) {
            Columns changes = new Columns(INTEGER, TEXT, TEXT, NUMBER, NUMBER);
            deltas.forEach(
                    (group, delta) -> changes.add(slots.of(group), namespace(group), group, delta.keys, delta.bytes));
            script.add(CHANGE, changes, changes);
        }
        deltas.clear();
        if (!shrunk.isEmpty()) {
            Columns names = Columns.names(); // of groups, by slot and namespace
            shrunk.forEach(group -> names.add(slots.of(group), namespace(group), group));
            script.add(REMOVE_EMPTY, names);
        }
    }

    private void flushEach(Script script) {
        Map<String, Map<String, Delta>> byNamespace = new LinkedHashMap<>();
        deltas.forEach((group, delta) -> byNamespace
                .computeIfAbsent(namespace(group), name -> new LinkedHashMap<>())
                .put(group, delta));
        byNamespace.forEach((namespace, changed) -> {
            int slot = slots.of(Namespaces.prefix(namespace));
            Columns changes = new Columns(TEXT, NUMBER, NUMBER);
            changed.forEach((group, delta) -> changes.add(group, delta.keys, delta.bytes));
            script.add(CHANGE_GROUPS, changes, slot, namespace)
                    .add(CHANGE_SUM, changes, slot, namespace, slot, namespace);
        });
    }

    /** Returns the namespace of a group that has one. */
    private static String namespace(String group) {
        return requireNonNull(Namespaces.of(group));
    }
}
