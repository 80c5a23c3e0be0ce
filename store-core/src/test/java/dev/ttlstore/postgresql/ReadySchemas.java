package dev.ttlstore.postgresql;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Deque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Stream;

import javax.sql.DataSource;

/**
 * Schemas for tests that do not ask how their tables came to be. A schema is emptied after its test and used again, because it takes
 * longer to create and drop its tables than most tests run. Thread-safe.
 */
final class ReadySchemas {

    private static final List<String> TABLES =
            List.of("entry", "log", "retained", "usage", "lease", "subscriber", "delivery");

    /** With more rows than these, a schema is dropped: the rows stay in the way until the server vacuums. */
    private static final int FEW = 1_000;

    private static final String SCRIPT = SchemaScript.read(SchemaScript.TABLES);

    private static final String FIRST_ROWS = firstRows();

    /** Counts the tables, indexes and constraints of a schema, and the triggers on its tables. */
    private static final String PARTS = """
            SELECT (SELECT count(*) FROM pg_class WHERE relnamespace = n.oid)
                    + (SELECT count(*) FROM pg_constraint WHERE connamespace = n.oid)
                    + (SELECT count(*) FROM pg_trigger WHERE tgrelid IN (SELECT oid FROM pg_class WHERE relnamespace = n.oid))
            FROM pg_namespace n WHERE nspname = ?""";

    /** The last one first: the connections know its statements. */
    private static final Deque<String> READY = new ConcurrentLinkedDeque<>();

    /** The schemas whose stores are about to be closed. */
    private static final Queue<String> LEFT = new ConcurrentLinkedQueue<>();

    private static final class Sweeper {
        static final DataSource POOL = TestServer.pool("schemas", 1);

        /** How many parts a schema has when it is created, so one that a test has added to has more. */
        static final long PARTS_AT_FIRST = partsAtFirst();

        private static long partsAtFirst() {
            try (Connection connection = POOL.getConnection();
                    Statement statement = connection.createStatement()) {
                connection.setAutoCommit(false);
                String schema = TestServer.freshSchema();
                statement.execute("SET LOCAL client_min_messages = warning");
                boolean unused = statement.execute(SchemaScript.statements(SCRIPT, schema, TestServer.isDistributed()));
                long parts = parts(connection, schema);
                connection.rollback();
                return parts;
            } catch (SQLException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    private ReadySchemas() {}

    /** Returns the name of a schema that no other test uses: it has the tables of a store without entries, or does not exist yet. */
    static String take() {
        for (String left = LEFT.poll(); left != null; left = LEFT.poll()) {
            String schema = left;
            TestServer.later(() -> empty(schema));
        }
        String ready = READY.pollLast();
        return ready == null ? TestServer.freshSchema() : ready;
    }

    /** Takes a schema back. It is emptied when the next test begins, because the stores of this one may be closed later. */
    static void giveBack(String schema) {
        LEFT.add(schema);
    }

    private static void empty(String schema) {
        if (isEmptied(schema)) {
            READY.addLast(schema);
        } else {
            TestServer.drop(schema);
        }
    }

    /** Removes all rows of a schema. Returns false if it cannot be used again. */
    static boolean isEmptied(String schema) {
        String prefix = '"' + schema + "\".";
        try (Connection connection = Sweeper.POOL.getConnection();
                Statement statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            statement.execute("SET LOCAL lock_timeout = '2s'");
            statement.execute("SET LOCAL client_min_messages = warning");
            long rows = 0;
            for (String table : TABLES) {
                rows += statement.executeLargeUpdate("DELETE FROM " + prefix + table);
            }
            if (rows > FEW) {
                return false;
            }
            statement.execute("DROP INDEX IF EXISTS " + prefix + "entry_age");
            statement.execute(FIRST_ROWS.replace("ttl_store.", prefix));
            boolean asCreated = parts(connection, schema) == Sweeper.PARTS_AT_FIRST;
            connection.commit();
            return asCreated;
        } catch (SQLException e) {
            // The test has not created it, or has changed it, or left a store open.
            return false;
        }
    }

    private static long parts(Connection connection, String schema) throws SQLException {
        try (PreparedStatement count = connection.prepareStatement(PARTS)) {
            count.setString(1, schema);
            try (ResultSet result = count.executeQuery()) {
                return result.next() ? result.getLong(1) : 0;
            }
        }
    }

    /** The statements that add the rows which a store without entries has. */
    private static String firstRows() {
        return String.join(
                ";",
                Stream.of(SCRIPT.split(";", -1))
                        .map(String::strip)
                        .filter(statement -> statement.contains("INSERT INTO"))
                        .toList());
    }
}
