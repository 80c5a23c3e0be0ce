package dev.ttlstore.postgresql;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.function.LongSupplier;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.ttlstore.exception.StoreSchemaException;

/** The functions with which the server decides and stores commits, if they are there. Thread-safe. */
final class ServerFunction {

    private static final Logger log = LoggerFactory.getLogger(ServerFunction.class);

    /** The functions, and what is around the body of each in the script. */
    private static final Map<String, String> QUOTES =
            Map.of("apply_1", "$apply$", "apply_one_1", "$apply_one$", "count_1", "$count$");

    /** Their bodies and settings, and whether the role may execute them. Nobody else may have made one with other parameters. */
    private static final String FIND = """
            SELECT p.proname, p.prosrc, coalesce(pg_catalog.array_to_string(p.proconfig, ','), ''), has_function_privilege(p.oid, 'EXECUTE'),
                   p.prosecdef OR p.proisstrict OR p.provolatile <> 'v'::"char" OR NOT %s
              FROM pg_proc p
              JOIN pg_namespace n ON n.oid = p.pronamespace
             WHERE n.nspname = ?::name AND p.proname = ANY (?::text[]::name[])
            """;

    /** On distributed tables, the server of a slot must call it: settings of a call elsewhere would not be those of the commit there. */
    private static final String IS_DISTRIBUTED = """
            (p.proname <> 'apply_one_1'::name
             OR p.oid IN (SELECT d.objid FROM pg_dist_object d
                        WHERE d.classid = 'pg_proc'::regclass::oid AND d.distribution_argument_index IS NOT NULL))
            """;

    /** Citus has it from version 11 on. */
    private static final String CAN_DISTRIBUTE = "SELECT to_regclass('pg_catalog.pg_dist_object') IS NOT NULL";

    private static final String SETTINGS = "search_path=pg_catalog, pg_temp," + PlanSettings.OF_A_FUNCTION;

    /** After how long a function that could not be called is called again: its role may have got a right back. */
    private static final long RETRY_NANOS = Duration.ofMinutes(1).toNanos();

    private final String schema;
    private final LongSupplier nanoTime;
    private final Map<String, String> bodies = new HashMap<>();
    private volatile State state = State.MISSING;
    private volatile long lostAt;

    /** Whether it was there once, so that a check fails until it is there again. */
    private volatile boolean wasThere;

    /** How a schema has the functions, the best state first. */
    enum State {
        THERE,

        /** It was there, and could not be called. */
        LOST,
        FORBIDDEN,
        CHANGED,
        MISSING
    }

    ServerFunction(String schema) {
        this(schema, System::nanoTime);
    }

    ServerFunction(String schema, LongSupplier nanoTime) {
        this.schema = schema;
        this.nanoTime = nanoTime;
        String script = script(false);
        QUOTES.forEach((name, quote) -> bodies.put(
                name, unquoted(script.substring(script.indexOf(quote) + quote.length(), script.lastIndexOf(quote)))));
    }

    /** An administrator may have written the name of the schema without quotation marks. */
    private String unquoted(String text) {
        return text.replace(Sql.quoted(schema) + '.', schema + '.');
    }

    /**
     * Returns the statements that create it.
     *
     * @param distributed whether the servers of a distributed database call it, each for its slots
     */
    String script(boolean distributed) {
        return SchemaScript.statements(SchemaScript.read(SchemaScript.FUNCTIONS), schema, distributed);
    }

    /** Tests whether the name of the schema can be written into its body. */
    boolean canBeCreated() {
        return QUOTES.values().stream().noneMatch(schema::contains);
    }

    /** Tests whether it is there, or may be there again. */
    boolean isThere() {
        State now = state;
        return now == State.THERE || (now == State.LOST && nanoTime.getAsLong() - lostAt > RETRY_NANOS);
    }

    /** Looks whether it is there, and as this version needs it. */
    State look(Connection connection, boolean distributed) throws SQLException {
        if (distributed && !Script.<Boolean>one(connection, CAN_DISTRIBUTE, row -> row.getBoolean(1))) {
            state = State.MISSING;
            return state;
        }
        Map<String, State> found = new HashMap<>();
        Script.each(
                connection,
                FIND.formatted(distributed ? IS_DISTRIBUTED : "true"),
                row -> {
                    String name = row.getString(1);
                    boolean same =
                            unquoted(row.getString(2)).equals(bodies.get(name)) && SETTINGS.equals(row.getString(3));
                    State one = !same || row.getBoolean(5) || found.containsKey(name)
                            ? State.CHANGED
                            : row.getBoolean(4) ? State.THERE : State.FORBIDDEN;
                    found.put(name, one);
                },
                schema,
                RowColumns.texts(QUOTES.keySet()));
        state = found.size() < QUOTES.size() ? State.MISSING : Collections.max(found.values());
        wasThere |= state == State.THERE;
        return state;
    }

    /** Says in the log that commits take more round trips than with it. */
    void reportMissing() {
        log.info(
                "Each write takes more round trips, because a function of the schema {} {}. Apply functions.sql from the jar of the store as an"
                        + " administrator",
                Sql.quoted(schema),
                switch (state) {
                    case FORBIDDEN -> "may not be executed by the role of the store";
                    case CHANGED -> "is not the one of this version";
                    default -> "is missing";
                });
    }

    /** Notes that the server does not have it any more, or does not let the role call it. */
    void lost(SQLException e) {
        lostAt = nanoTime.getAsLong();
        if (state == State.THERE) {
            state = State.LOST;
            log.warn(
                    "A function of the schema {} cannot be called any more, so each write takes more round trips",
                    Sql.quoted(schema),
                    Errors.withoutDetail(e));
        }
    }

    /**
     * Checks that it is still there, or there again, if it was once.
     *
     * @throws StoreSchemaException if it is not, or if somebody has changed it
     */
    void require(Connection connection, boolean distributed) throws SQLException {
        boolean before = state == State.THERE;
        if (wasThere && look(connection, distributed) != State.THERE) {
            if (before) {
                reportMissing();
            }
            throw new StoreSchemaException(
                    schema,
                    "A function of the schema \"" + schema + "\" is missing, or is not the one that this version"
                            + " of the store has made",
                    "Look who has changed it, and apply functions.sql from the jar of the store as an administrator. Until"
                            + " then, each write takes more round trips",
                    null);
        }
    }
}
