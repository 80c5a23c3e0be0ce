package dev.ttlstore.sqlite;

import java.nio.file.Path;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.exception.Printable;
import dev.ttlstore.exception.StoreFormatException;

/**
 * Compares the schema of a file with that of a new store. Somebody could add a trigger, a view or a column that computes its value.
 * It would run in the store's own statements.
 *
 * @param found what is in the schema; not by names, because a trigger may have that of a table or an index
 */
record SchemaCheck(List<Item> found) {

    private static final String READ = "SELECT type, name, tbl_name, sql FROM sqlite_schema";

    /** SQLite's own tables. It keeps the statistics in two of them if somebody has asked for them. */
    private static final Set<String> OF_SQLITE = Set.of("sqlite_sequence", "sqlite_stat1", "sqlite_stat4");

    private static final String LITESTREAM = "_litestream_seq";

    /** The tables that Litestream adds to a file that it replicates. */
    private static final Set<String> OF_LITESTREAM = Set.of(LITESTREAM, "_litestream_lock");

    /** What is in a schema. */
    private record Item(
            String type,
            String name,
            String table,
            @Nullable String sql) {

        boolean isPlainTable() {
            return type.equals("table") && definition().startsWith("create table ");
        }

        boolean isTrigger() {
            return type.equals("trigger");
        }

        boolean isAutomaticIndex() {
            return type.equals("index") && sql == null;
        }

        String definition() {
            return sql == null ? "" : sql.replaceAll("\\s+", " ").toLowerCase(Locale.ROOT);
        }

        String description() {
            return type + " '" + Printable.of(name) + "'";
        }
    }

    /**
     * The definition of a table in its parts. The columns of a migrated file are in another order than those of a new one.
     *
     * @param beginning what is before the columns
     * @param parts the columns and constraints
     * @param end what is after them
     */
    private record Definition(String beginning, Set<String> parts, String end) {

        static Definition of(String sql) {
            int first = sql.indexOf('(');
            int last = sql.lastIndexOf(')');
            if (first < 0 || last < first) {
                return new Definition(sql, Set.of(), "");
            }
            Set<String> parts = new HashSet<>();
            int depth = 0;
            int begin = first + 1;
            for (int i = begin; i <= last; i++) {
                char c = sql.charAt(i);
                if (depth == 0 && (c == ',' || i == last)) {
                    parts.add(sql.substring(begin, i).strip());
                    begin = i + 1;
                } else if (c == '(') {
                    depth++;
                } else if (c == ')') {
                    depth--;
                }
            }
            return new Definition(
                    sql.substring(0, first).strip(),
                    parts,
                    sql.substring(last + 1).strip());
        }

        /** Tests whether another table has nothing that this one has not. */
        boolean covers(Definition other) {
            return beginning.equals(other.beginning)
                    && end.equals(other.end)
                    && allowed().containsAll(other.parts);
        }

        private Set<String> allowed() {
            Set<String> all = new HashSet<>(parts);
            all.addAll(Layouts.MIGRATED_COLUMNS);
            return all;
        }
    }

    /** The schema of a new store by names. It has no triggers, so each name is there once. */
    private static final class OfNewStore {
        private static final Map<String, Item> ITEMS = read();

        private static Map<String, Item> read() {
            try (SqliteSession fresh = SqliteSession.open(SqliteSession.MEMORY, new SqliteErrors("in memory"))) {
                Layouts.CREATE.forEach(fresh::execute);
                Map<String, Item> items = new LinkedHashMap<>();
                items(fresh).forEach(item -> items.put(item.name(), item));
                return items;
            }
        }
    }

    /** Reads the schema of a session. */
    static SchemaCheck of(SqliteSession session) {
        return new SchemaCheck(items(session));
    }

    private static List<Item> items(SqliteSession session) {
        return session.bind(READ)
                .list(row -> new Item(
                        String.valueOf(row.getString(1)),
                        String.valueOf(row.getString(2)),
                        String.valueOf(row.getString(3)),
                        row.getString(4)));
    }

    boolean isEmpty() {
        return found.isEmpty();
    }

    /** Tests whether Litestream replicates the file. */
    boolean isReplicated() {
        return found.stream()
                .anyMatch(item -> item.type().equals("table") && item.name().equals(LITESTREAM));
    }

    /** Returns what a new store has and this one has not, such as "index entry_due". */
    List<String> missing() {
        Set<String> names =
                found.stream().filter(item -> !item.isTrigger()).map(Item::name).collect(Collectors.toSet());
        return OfNewStore.ITEMS.values().stream()
                .filter(item -> !names.contains(item.name()) && !item.name().startsWith("sqlite_"))
                .map(item -> item.type() + " " + item.name())
                .sorted()
                .toList();
    }

    /** Returns what does not belong to a store. */
    List<String> foreign() {
        return found.stream()
                .filter(item -> !isOurs(item) && !isOfOthers(item))
                .map(Item::description)
                .toList();
    }

    /** Tests whether something else is in the place of a table or index of a store, so that no statement can be trusted. */
    boolean hasReplaced() {
        return found.stream()
                .anyMatch(item -> !item.isTrigger()
                        && OfNewStore.ITEMS.containsKey(item.name())
                        && !isOurs(item)
                        && !isOfOthers(item));
    }

    private static boolean isOurs(Item item) {
        Item expected = OfNewStore.ITEMS.get(item.name());
        return expected != null
                && expected.type().equals(item.type())
                && expected.table().equals(item.table())
                && (item.type().equals("table")
                        ? Definition.of(expected.definition()).covers(Definition.of(item.definition()))
                        : expected.definition().equals(item.definition()));
    }

    private static boolean isOfOthers(Item item) {
        return item.isAutomaticIndex()
                || item.definition().equals(Layouts.COPY.toLowerCase(Locale.ROOT)) // until a copy is complete
                || (item.isPlainTable() && (OF_SQLITE.contains(item.name()) || OF_LITESTREAM.contains(item.name())));
    }

    /** Refuses a file of the current layout with anything else in its schema. */
    void requireNothingForeign(Path path) {
        refuse(path, foreign());
    }

    /** Refuses a file of an earlier layout with anything but tables and indexes. After its migration, all of them are compared. */
    void requireTablesAndIndexes(Path path) {
        refuse(
                path,
                found.stream()
                        .filter(item -> !item.isPlainTable() && !item.type().equals("index"))
                        .map(Item::description)
                        .toList());
    }

    private static void refuse(Path path, List<String> foreign) {
        if (!foreign.isEmpty()) {
            throw new StoreFormatException(
                    path,
                    "The file " + path + " has something in its schema that is not of a store, or that was changed: "
                            + String.join(", ", foreign.subList(0, Math.min(10, foreign.size())))
                            + "; it has not been touched",
                    "It could change what the store reads and writes. If you have added it yourself, drop it. Otherwise find"
                            + " out who has, and repair the file or restore a backup",
                    null);
        }
    }
}
