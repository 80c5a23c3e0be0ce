package dev.ttlstore.postgresql;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Arrays;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.ttlstore.exception.NewerSchemaException;
import dev.ttlstore.exception.OtherDatabaseException;
import dev.ttlstore.exception.StoreException;
import dev.ttlstore.exception.StoreSchemaException;
import dev.ttlstore.exception.UnfinishedCopyException;

/**
 * Creates the tables, or checks those that are there.
 *
 * @param name the name of the schema
 * @param connections the connections
 * @param function its function
 * @param distribute whether new tables are distributed if the database can do that
 */
record Schema(String name, Connections connections, ServerFunction function, boolean distribute) {

    private static final Logger log = LoggerFactory.getLogger(Schema.class);

    private static final int VERSION = 2;

    /** The layout whose nodes take only advisory locks. Its tables are the same. */
    private static final int ADVISORY = 1;

    private static final String PRODUCT = "PostgreSQL";

    /** The oldest version of the server that has all that the statements use. */
    private static final int FIRST_SERVER = 14;

    private static final String ENCODING = "SELECT current_setting('server_encoding')";

    /** Nodes that start together take turns. The number is that of this store among the users of such locks. */
    private static final String LOCK =
            "SELECT pg_advisory_xact_lock(7738429605514203137), set_config('lock_timeout', '0', true)";

    /** Other roles can take such a lock, but not keep a node that starts waiting for ever. */
    private static final String LOCK_IN_TIME = "SET LOCAL lock_timeout = '1min'";

    private static final String HAS_SCHEMA = "SELECT count(*) > 0 FROM pg_namespace WHERE nspname = ?::name";

    private static final String IS_THERE = "SELECT to_regclass(?::text) IS NOT NULL";

    /** After waiting for a lock, {@code to_regclass} may not know yet what another session has created meanwhile. */
    private static final String IS_THERE_BY_NOW = """
            SELECT count(*) > 0
              FROM pg_class c
              JOIN pg_namespace n ON n.oid = c.relnamespace
             WHERE n.nspname = ?::name AND c.relname = 'layout'
            """;

    private static final String HAS_CITUS = "SELECT count(*) > 0 FROM pg_extension WHERE extname = ?::name";

    private static final String IS_DISTRIBUTED =
            "SELECT count(*) > 0 FROM pg_dist_partition WHERE logicalrelid::oid = to_regclass(?::text)::oid AND partmethod = 'h'";

    private static final String STANDARD_TEXTS = "SELECT current_setting('standard_conforming_strings')";

    /** The order has the server look for one commit of each slot in the index. For EXISTS, it may read the whole log. */
    private static final String SLOTS_WITHOUT_ROWS = """
            SELECT count(*)
              FROM generate_series(0, ?) i (slot)
             WHERE NOT EXISTS (SELECT 1 FROM @slot s WHERE s.slot = i.slot)
                OR (SELECT l.seq FROM @log l WHERE l.slot = i.slot ORDER BY l.seq DESC LIMIT 1) IS NULL
                OR NOT EXISTS (SELECT 1 FROM @lease p WHERE p.slot = i.slot AND p.role = 'purge')
            """;

    private static final String INDEX_BY_AGE =
            "CREATE INDEX IF NOT EXISTS entry_age ON @entry (slot, grp, created_at, key)";

    /**
     * Stands in the table of layouts while the schema holds an unfinished copy, so that no version of the store opens it: to those
     * that do not know it, it is a newer layout.
     */
    static final int UNFINISHED_COPY = Integer.MAX_VALUE;

    private static final String LAYOUTS = """
            SELECT max(version) FILTER (WHERE version <> %2$d), max(slots), bool_or(version IN (%1$d, %3$d)),
                   bool_or(version = %2$d), bool_or(version = %3$d)
              FROM @layout
            """.formatted(VERSION, UNFINISHED_COPY, ADVISORY);

    /**
     * Prepares the schema, and tells the statements whether its tables are distributed.
     *
     * @param use what it is opened for
     * @param create whether to create what is missing
     * @param byAge whether rows are found by their creation
     * @return the slots
     */
    Slots open(TableCheck.Use use, boolean create, boolean byAge) {
        try (Connections.Borrowed borrowed = connections.borrow()) {
            Connection connection = borrowed.connection();
            requirePostgreSql(connection);
            requireUtf8(connection);
            if (!answer(connection, IS_THERE, Sql.quoted(name) + ".layout")) {
                if (use == TableCheck.Use.SOURCE) {
                    throw new StoreSchemaException(
                            name,
                            "There is no store in the schema \"" + name + "\", so it cannot be copied",
                            "Check the name of the schema, and the database of the DataSource",
                            null);
                }
                if (!create) {
                    throw missing("The schema \"" + name + "\" or its tables are missing");
                }
                create(borrowed);
            }
            requireSameBytes(connection);
            connections.sql().distributed(isDistributed(connection));
            if (connections.sql().isDistributed()) {
                requireStandardTexts(connection);
                // A distributed commit sends it to the servers as a constant.
                connections.sql().durability(setting(connection, "SELECT " + Timeouts.DURABILITY));
            }
            requireNotNewer(connection, use);
            new TableCheck(name, SchemaScript.read(SchemaScript.TABLES)).require(connection, use);
            if (byAge) {
                indexByAge(borrowed, create);
            }
            if (use != TableCheck.Use.SOURCE) {
                prepareFunction(borrowed, create);
            }
            return slots(connection, use);
        } catch (SQLException e) {
            throw Errors.translate(e);
        }
    }

    /** Asks the driver, not the server, so that another database does not get to see our statements. */
    private static void requirePostgreSql(Connection connection) throws SQLException {
        String product = connection.getMetaData().getDatabaseProductName();
        if (!PRODUCT.equals(product)) {
            throw new OtherDatabaseException(
                    product,
                    "The DataSource connects to " + product + ", and the engine needs " + PRODUCT,
                    "Use a DataSource of PostgreSQL 14 or later, or the embedded engine");
        }
        int version = connection.getMetaData().getDatabaseMajorVersion();
        if (version < FIRST_SERVER) {
            throw new OtherDatabaseException(
                    product,
                    "The DataSource connects to PostgreSQL " + version + ", which is too old for the store",
                    "Use a server of PostgreSQL " + FIRST_SERVER + " or later");
        }
    }

    /** In another encoding, some keys and names of groups could not be stored. */
    private static void requireUtf8(Connection connection) throws SQLException {
        String encoding = setting(connection, ENCODING);
        if (!encoding.equals("UTF8")) {
            throw new OtherDatabaseException(
                    PRODUCT,
                    "The database of the DataSource has the encoding " + encoding + ", and the store needs " + "UTF8",
                    "Use a database that was created with: CREATE DATABASE … ENCODING 'UTF8' TEMPLATE template0");
        }
    }

    /** A driver that writes values into the text of a statement relies on a setting of the server. */
    private static void requireSameBytes(Connection connection) throws SQLException {
        byte[] bytes = {'A', 'B'};
        if (!Arrays.equals(Script.one(connection, "SELECT ?::bytea", row -> row.getBytes(1), bytes), bytes)) {
            throw new StoreException(
                    "The server gets other values than the store sends: the driver writes them into its statements"
                            + " (preferQueryMode=simple), and the setting standard_conforming_strings is off for the role of"
                            + " the store",
                    "Switch it on with ALTER ROLE … SET …, or in the options of the DataSource, or use another"
                            + " preferQueryMode",
                    null);
        }
    }

    /** Otherwise Citus doubles each backslash that it sends to its workers, which then store other names and values. */
    private static void requireStandardTexts(Connection connection) throws SQLException {
        if (!setting(connection, STANDARD_TEXTS).equals("on")) {
            throw new StoreException(
                    "The setting standard_conforming_strings is off for the role of the store, so Citus would change what the"
                            + " store writes",
                    "Switch it on with ALTER ROLE … SET …, or in the options of the DataSource",
                    null);
        }
    }

    private static String setting(Connection connection, String question) throws SQLException {
        return Script.one(connection, question, row -> row.getString(1));
    }

    private static boolean hasCitus(Connection connection) throws SQLException {
        return answer(connection, HAS_CITUS, "citus");
    }

    private boolean isDistributed(Connection connection) throws SQLException {
        return hasCitus(connection) && answer(connection, IS_DISTRIBUTED, Sql.quoted(name) + ".entry");
    }

    private static boolean answer(Connection connection, String question, String parameter) throws SQLException {
        return Script.<Boolean>one(connection, question, row -> row.getBoolean(1), parameter);
    }

    private StoreSchemaException forbidden(SQLException e) {
        return new StoreSchemaException(
                name,
                "The role may not create the schema \"" + name + "\" and its tables",
                "Grant it CREATE on the database. Or apply schema.sql from the jar of the store as an administrator and"
                        + " grant what its end lists",
                Errors.withoutDetail(e));
    }

    private void create(Connections.Borrowed borrowed) throws SQLException {
        Connection connection = borrowed.connection();
        try {
            inTurn(borrowed, statement -> {
                if (!answer(connection, IS_THERE_BY_NOW, name)) {
                    // An administrator may have made the schema for a role that may not make one itself.
                    boolean made = answer(connection, HAS_SCHEMA, name);
                    String script = SchemaScript.read(SchemaScript.TABLES);
                    boolean unused = statement.execute(SchemaScript.statements(
                            made ? SchemaScript.withoutSchema(script) : script,
                            name,
                            distribute && hasCitus(connection)));
                }
            });
        } catch (SQLException e) {
            if (Errors.isForbidden(e)) {
                throw forbidden(e);
            }
            throw e;
        }
    }

    /** Creates the function if it is not there as this version needs it. The store also works without. */
    private void prepareFunction(Connections.Borrowed borrowed, boolean create) throws SQLException {
        Connection connection = borrowed.connection();
        boolean distributed = connections.sql().isDistributed();
        ServerFunction.State state = function.look(connection, distributed);
        boolean outdated = state == ServerFunction.State.MISSING || state == ServerFunction.State.CHANGED;
        if (outdated && create && function.canBeCreated()) {
            try {
                inTurn(borrowed, statement -> {
                    boolean unused = statement.execute(function.script(distributed));
                });
            } catch (SQLException e) {
                if (Errors.isConnectionLost(e)) { // Citus reports a fault for a server that may not create it
                    throw e;
                }
                log.debug("The function could not be created", e);
                rollBack(borrowed);
            }
            state = function.look(connection, distributed);
        }
        if (state != ServerFunction.State.THERE) {
            function.reportMissing();
        }
    }

    private static void rollBack(Connections.Borrowed borrowed) throws SQLException {
        try (Statement statement = borrowed.connection().createStatement()) {
            int unused = statement.executeUpdate("ROLLBACK");
        }
        borrowed.inTransaction(false);
    }

    /** Changes the schema. */
    @FunctionalInterface
    private interface Change {
        void make(Statement statement) throws SQLException;
    }

    /** Makes a change in a transaction, while no other node that starts makes one. */
    private static void inTurn(Connections.Borrowed borrowed, Change change) throws SQLException {
        borrowed.inTransaction(true);
        try (Statement statement = borrowed.connection().createStatement()) {
            boolean unused = statement.execute(Timeouts.BEGIN + ";" + LOCK_IN_TIME + ";" + LOCK);
            change.make(statement);
            statement.executeUpdate("COMMIT");
        }
        borrowed.inTransaction(false);
    }

    private StoreSchemaException missing(String problem) {
        return new StoreSchemaException(
                name,
                problem,
                "Apply schema.sql from the jar of the store as an administrator and grant what its end lists, or open the"
                        + " store with initializeSchema(true)",
                null);
    }

    /** Before anything else is checked, because a newer layout may lack what this one needs. */
    private void requireNotNewer(Connection connection, TableCheck.Use use) throws SQLException {
        try {
            Layout unused = layout(connection, use);
        } catch (SQLException e) {
            if (!Errors.isForbidden(e) && !Errors.isMissing(e)) {
                throw e;
            } // which the check names
        }
    }

    private Slots slots(Connection connection, TableCheck.Use use) throws SQLException {
        Layout layout = layout(connection, use);
        int slots = layout.slots();
        if (!connections.sql().isDistributed()) {
            requireRows(connection, slots);
            noteEarlierNodes(layout.isAdvisory());
        }
        return new Slots(slots);
    }

    /**
     * What the table of layouts says.
     *
     * @param slots how many slots there are
     * @param isAdvisory whether nodes may use the tables that take only advisory locks
     */
    private record Layout(int slots, boolean isAdvisory) {}

    private Layout layout(Connection connection, TableCheck.Use use) throws SQLException {
        return Script.one(connection, connections.sql().of(LAYOUTS), row -> {
            if (row.getInt(2) == 0) {
                throw missing("The table layout of the schema \"" + name + "\" is empty");
            }
            if (row.getBoolean(4) && use != TableCheck.Use.TARGET) {
                throw new UnfinishedCopyException("The schema \"" + name + "\"");
            }
            if (!row.getBoolean(3)) {
                throw new NewerSchemaException(name, row.getInt(1), VERSION);
            }
            return new Layout(row.getInt(2), row.getBoolean(5));
        });
    }

    private void noteEarlierNodes(boolean mayBe) {
        if (mayBe) {
            log.info(
                    "The schema {} still admits instances of an earlier version, for which this one takes locks that any role of the"
                            + " database could take, too. When none of them runs any more, apply the last statement of schema.sql",
                    connections.sql().schema());
        }
        connections.sql().earlierNodes(mayBe);
    }

    /** Checks that each slot has the rows that the engine expects there. */
    private void requireRows(Connection connection, int slots) throws SQLException {
        int lacking = Script.<Integer>one(
                connection, connections.sql().of(SLOTS_WITHOUT_ROWS), row -> row.getInt(1), slots - 1);
        if (lacking > 0) {
            throw new StoreSchemaException(
                    name,
                    "In the schema \"" + name + "\", " + lacking + " of " + slots
                            + " slots lack their row in the table slot or log, or in lease for the purge",
                    "Apply the statements INSERT of schema.sql from the jar of the store, or restore a backup",
                    null);
        }
    }

    private void indexByAge(Connections.Borrowed borrowed, boolean create) throws SQLException {
        Connection connection = borrowed.connection();
        if (hasIndexByAge(connection)) {
            return;
        }
        String text = connections.sql().of(INDEX_BY_AGE);
        if (!create) {
            throw new StoreException(
                    "A group has an age index, but the table entry has none",
                    "Execute as an administrator: " + text,
                    null);
        }
        inTurn(borrowed, statement -> {
            if (!hasIndexByAge(connection)) {
                statement.executeUpdate(text);
            }
        });
    }

    private boolean hasIndexByAge(Connection connection) throws SQLException {
        return answer(connection, IS_THERE, Sql.quoted(name) + ".entry_age");
    }
}
