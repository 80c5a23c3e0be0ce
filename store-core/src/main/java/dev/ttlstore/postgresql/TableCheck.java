package dev.ttlstore.postgresql;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import dev.ttlstore.exception.StoreSchemaException;

/**
 * Checks that the tables, columns, keys, indexes and rights are there, and that the tables keep what the store writes: all of it, for all
 * to see, also in a crash of the server.
 */
final class TableCheck {

    /** What a schema is opened for. */
    enum Use {

        /** A store uses it. */
        STORE,

        /** It is copied, so nothing is created. */
        SOURCE,

        /** Another store is copied into it, so there may be an unfinished copy. */
        TARGET
    }

    private static final String COLUMNS = """
            SELECT c.relname, a.attname, coalesce(o.collname, ''), format_type(a.atttypid, a.atttypmod)
              FROM pg_attribute a
              JOIN pg_class c ON c.oid = a.attrelid
              JOIN pg_namespace n ON n.oid = c.relnamespace
              LEFT JOIN pg_collation o ON o.oid = a.attcollation
             WHERE n.nspname = ?::name AND c.relkind IN ('r', 'p') AND a.attnum > 0 AND NOT a.attisdropped
            """;

    /** The indexes that can be used. Primary keys have the name of their table. */
    private static final String INDEXES = """
            SELECT CASE WHEN i.indisprimary THEN t.relname ELSE x.relname END
              FROM pg_index i
              JOIN pg_class t ON t.oid = i.indrelid
              JOIN pg_class x ON x.oid = i.indexrelid
              JOIN pg_namespace n ON n.oid = t.relnamespace
             WHERE n.nspname = ?::name AND i.indisvalid
            """;

    private static final String RIGHTS = """
            SELECT c.relname, r.name
              FROM pg_class c
              JOIN pg_namespace n ON n.oid = c.relnamespace
             CROSS JOIN pg_catalog.unnest(ARRAY['SELECT', 'INSERT', 'UPDATE', 'DELETE']) r (name)
             WHERE n.nspname = ?::name AND c.relkind IN ('r', 'p') AND has_table_privilege(c.oid, r.name)
            """;

    private static final List<String> ALL_RIGHTS = List.of("SELECT", "INSERT", "UPDATE", "DELETE");

    private static final List<String> ADDING_AND_REMOVING = List.of("SELECT", "INSERT", "DELETE");

    private static final List<String> READING = List.of("SELECT");

    private static final List<String> LOCKING = List.of("SELECT", "UPDATE");

    private static final Pattern TABLE =
            Pattern.compile("CREATE TABLE IF NOT EXISTS ttl_store\\.(\\w+) \\((.*?)\\n\\)", Pattern.DOTALL);

    private static final Pattern COLUMN =
            Pattern.compile("^ {4}([a-z_]+) +([a-z]+)( +COLLATE \"C\")?", Pattern.MULTILINE);

    private static final Pattern INDEX = Pattern.compile("CREATE INDEX IF NOT EXISTS (\\w+)");

    /** The tables, and the parts of partitioned ones, to which something applies. */
    private static final String PARTS = """
            SELECT c.relname, p.relname
              FROM pg_class c
              JOIN pg_namespace n ON n.oid = c.relnamespace
             CROSS JOIN LATERAL (SELECT c.oid UNION SELECT t.relid FROM pg_partition_tree(c.oid::regclass) t) t (relid)
              JOIN pg_class p ON p.oid = t.relid
             WHERE n.nspname = ?::name AND c.relkind IN ('r', 'p') AND
            """;

    /** The tables in which this role may see or change only some rows. */
    private static final String GUARDED = PARTS + "p.oid = c.oid AND row_security_active(c.oid)";

    /** Those whose rows are gone after a crash. */
    private static final String UNLOGGED = PARTS + "p.relpersistence <> 'p'";

    /** Those with a rule, or a trigger that comes before a row is written. */
    private static final String REWRITTEN = PARTS + """
                   (EXISTS (SELECT 1 FROM pg_rewrite r WHERE r.ev_class = p.oid AND r.ev_enabled IN ('O', 'A'))
                    OR EXISTS (SELECT 1 FROM pg_trigger g
                                WHERE g.tgrelid = p.oid AND g.tgenabled IN ('O', 'A') AND NOT g.tgisinternal
                                  AND g.tgtype::integer & 3 = 3))
            """;

    private final String schema;
    private final String script;
    private final Map<String, Map<String, Column>> tables;

    /**
     * Prepares the check.
     *
     * @param schema the name of the schema
     * @param script the script that creates the tables
     */
    TableCheck(String schema, String script) {
        this.schema = schema;
        this.script = script;
        this.tables = tables(script);
    }

    /** Throws if something is missing, or is not as it must be. A schema that is only read needs no keys, and need not outlast a crash. */
    void require(Connection connection, Use use) throws SQLException {
        Map<String, Map<String, Column>> columns = new TreeMap<>();
        query(connection, COLUMNS, row -> columns.computeIfAbsent(row.getString(1), table -> new TreeMap<>())
                .put(row.getString(2), new Column(row.getString(3), row.getString(4))));
        requirePresent(connection, use, columns);
        requireTypes(columns);
        requireNoPart(
                connection,
                GUARDED,
                "row security of the table %s applies to the store's role, so that it would miss entries",
                "Execute ALTER TABLE … DISABLE ROW LEVEL SECURITY, or ALTER ROLE … BYPASSRLS, as an administrator");
        if (use != Use.SOURCE) {
            requireNoPart(
                    connection,
                    UNLOGGED,
                    "the table %s is UNLOGGED, so that it would be empty after a crash of the server",
                    "Execute ALTER TABLE … SET LOGGED, as an administrator");
            requireNoPart(
                    connection,
                    REWRITTEN,
                    "the table %s has a rule, or a trigger BEFORE each row, which can drop or change what the store writes",
                    "Execute DROP RULE or DROP TRIGGER, as an administrator; a trigger AFTER each row may stay");
        }
    }

    /** A column as it is, or as the script has it. */
    private record Column(String collation, String type) {}

    private void requirePresent(Connection connection, Use use, Map<String, Map<String, Column>> columns)
            throws SQLException {
        Set<String> indexes = new HashSet<>();
        query(connection, INDEXES, row -> indexes.add(row.getString(1)));
        Set<String> rights = new HashSet<>();
        query(connection, RIGHTS, row -> rights.add(right(row.getString(2), row.getString(1))));
        TreeSet<String> missing = new TreeSet<>();
        tables.forEach((table, wanted) -> {
            Map<String, Column> present = columns.get(table);
            if (present == null) {
                missing.add("table " + table);
                return;
            }
            wanted.forEach((name, column) -> {
                Column found = present.get(name);
                if (found == null) {
                    missing.add("column " + table + "." + name);
                } else if (column.collation().equals("C") && !found.collation().equals("C")) {
                    missing.add("collation \"C\" of " + table + "." + name);
                }
            });
            if (use != Use.SOURCE && !indexes.contains(table)) {
                missing.add("primary key of " + table);
            }
            needed(table, use).stream()
                    .map(right -> right(right, table))
                    .filter(right -> !rights.contains(right))
                    .forEach(missing::add);
        });
        if (use != Use.SOURCE) {
            INDEX.matcher(script)
                    .results()
                    .map(index -> index.group(1))
                    .filter(index -> !indexes.contains(index))
                    .forEach(index -> missing.add("index " + index));
        }
        if (!missing.isEmpty()) {
            throw new StoreSchemaException(
                    schema,
                    "In the schema \"" + schema + "\", or for this role, there are missing: "
                            + String.join(", ", missing),
                    "Create what is missing as schema.sql in the jar of the store defines it, as an administrator, and grant what"
                            + " its end lists. The file itself creates missing tables and indexes, and changes none that are there",
                    null);
        }
    }

    /** Returns the columns of each table. */
    private static Map<String, Map<String, Column>> tables(String text) {
        Map<String, Map<String, Column>> tables = new TreeMap<>();
        TABLE.matcher(text)
                .results()
                .forEach(table -> tables.put(
                        table.group(1),
                        COLUMN.matcher(table.group(2))
                                .results()
                                .collect(Collectors.toMap(
                                        c -> c.group(1), c -> new Column(c.group(3) == null ? "" : "C", c.group(2))))));
        return tables;
    }

    /** Returns the rights that are needed on a table. */
    private static List<String> needed(String table, Use use) {
        if (use == Use.SOURCE || (use == Use.STORE && table.equals("layout"))) {
            return READING;
        }
        if (table.equals("slot")) {
            return LOCKING;
        }
        return table.equals("log") ? ADDING_AND_REMOVING : ALL_RIGHTS;
    }

    private static String right(String right, String table) {
        return "right " + right + " on " + table;
    }

    private void requireTypes(Map<String, Map<String, Column>> columns) {
        Set<String> wrong = new TreeSet<>();
        tables.forEach((table, definition) -> definition.forEach((name, wanted) -> {
            Column column = columns.getOrDefault(table, Map.of()).get(name);
            if (column != null && !column.type().equals(wanted.type())) {
                wrong.add("%s.%s is %s instead of %s".formatted(table, name, column.type(), wanted.type()));
            }
        }));
        requireNone(
                wrong,
                "columns have the wrong type: %s",
                "Execute ALTER TABLE … ALTER COLUMN … TYPE … with the types in schema.sql in the jar of the store, as an administrator");
    }

    /** Requires that a query finds no table of the store, and no part of one. */
    private void requireNoPart(Connection connection, String text, String problem, String remedy) throws SQLException {
        Set<String> found = new TreeSet<>();
        query(connection, text, row -> {
            if (tables.containsKey(row.getString(1))) {
                found.add(row.getString(2));
            }
        });
        requireNone(found, problem, remedy);
    }

    private void query(Connection connection, String text, Script.RowHandler reader) throws SQLException {
        Script.each(connection, text, reader, schema);
    }

    private void requireNone(Set<String> found, String problem, String remedy) {
        if (!found.isEmpty()) {
            String names = String.join(", ", found);
            throw new StoreSchemaException(
                    schema, "In the schema \"" + schema + "\", " + problem.formatted(names), remedy, null);
        }
    }
}
