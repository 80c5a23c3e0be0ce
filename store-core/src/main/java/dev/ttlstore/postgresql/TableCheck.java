package dev.ttlstore.postgresql;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

import dev.ttlstore.exception.StoreSchemaException;

/** Checks that tables which are there keep what the store writes: all of it, for all to see, also in a crash of the server. */
final class TableCheck {

    private static final String TYPES = """
            SELECT c.relname, a.attname, format_type(a.atttypid, a.atttypmod)
              FROM pg_attribute a
              JOIN pg_class c ON c.oid = a.attrelid
              JOIN pg_namespace n ON n.oid = c.relnamespace
             WHERE n.nspname = ?::name AND c.relkind IN ('r', 'p') AND a.attnum > 0 AND NOT a.attisdropped
            """;

    /** The tables of which this role may see or change only some rows. */
    private static final String ROW_SECURITY = """
            SELECT c.relname
              FROM pg_class c
              JOIN pg_namespace n ON n.oid = c.relnamespace
             WHERE n.nspname = ?::name AND c.relkind IN ('r', 'p') AND row_security_active(c.oid)
            """;

    /** The tables, and the parts of partitioned ones, whose rows are gone after a crash. */
    private static final String UNLOGGED = """
            SELECT c.relname, p.relname
              FROM pg_class c
              JOIN pg_namespace n ON n.oid = c.relnamespace
             CROSS JOIN LATERAL (SELECT c.oid UNION SELECT t.relid FROM pg_partition_tree(c.oid::regclass) t) t (relid)
              JOIN pg_class p ON p.oid = t.relid
             WHERE n.nspname = ?::name AND c.relkind IN ('r', 'p') AND p.relpersistence <> 'p'
            """;

    private final String schema;
    private final Map<String, Map<String, String>> types;

    /**
     * Prepares the check.
     *
     * @param schema the name of the schema
     * @param types the types of the columns, by their names, of each table
     */
    TableCheck(String schema, Map<String, Map<String, String>> types) {
        this.schema = schema;
        this.types = types;
    }

    /**
     * Throws if a table is not as it must be.
     *
     * @param logged whether the tables must outlast a crash of the server
     */
    void require(Connection connection, boolean logged) throws SQLException {
        requireTypes(connection);
        requireAllRows(connection);
        if (logged) {
            requireLogged(connection);
        }
    }

    private void requireTypes(Connection connection) throws SQLException {
        Set<String> wrong = new TreeSet<>();
        query(connection, TYPES, schema, column -> {
            String table = column.getString(1);
            String wanted = types.getOrDefault(table, Map.of()).get(column.getString(2));
            String type = column.getString(3);
            if (wanted != null && !wanted.equals(type)) {
                wrong.add("%s.%s is %s instead of %s".formatted(table, column.getString(2), type, wanted));
            }
        });
        requireNone(
                wrong,
                "columns have the wrong type: %s",
                "Execute ALTER TABLE … ALTER COLUMN … TYPE … with the types in schema.sql in the jar of the store, as an administrator");
    }

    private void requireAllRows(Connection connection) throws SQLException {
        Set<String> guarded = new TreeSet<>();
        query(connection, ROW_SECURITY, schema, row -> addOwn(guarded, row.getString(1), row.getString(1)));
        requireNone(
                guarded,
                "row security of the table %s applies to the store's role, so that it would miss entries",
                "Execute ALTER TABLE … DISABLE ROW LEVEL SECURITY, or ALTER ROLE … BYPASSRLS, as an administrator");
    }

    private void requireLogged(Connection connection) throws SQLException {
        Set<String> unlogged = new TreeSet<>();
        query(connection, UNLOGGED, schema, row -> addOwn(unlogged, row.getString(1), row.getString(2)));
        requireNone(
                unlogged,
                "the table %s is UNLOGGED, so that it would be empty after a crash of the server",
                "Execute ALTER TABLE … SET LOGGED, as an administrator");
    }

    /** Adds a table if it, or the one that it is a part of, is the store's. */
    private void addOwn(Set<String> found, String table, String part) {
        if (types.containsKey(table)) {
            found.add(part);
        }
    }

    /** Runs a query about a schema; the reader gets each row. */
    static void query(Connection connection, String text, String schema, Script.Reader reader) throws SQLException {
        try (PreparedStatement query = connection.prepareStatement(text)) {
            query.setString(1, schema);
            try (ResultSet result = query.executeQuery()) {
                while (result.next()) {
                    reader.read(result);
                }
            }
        }
    }

    private void requireNone(Set<String> found, String problem, String remedy) {
        if (!found.isEmpty()) {
            String names = String.join(", ", found);
            throw new StoreSchemaException(
                    schema, "In the schema \"" + schema + "\", " + problem.formatted(names), remedy, null);
        }
    }
}
