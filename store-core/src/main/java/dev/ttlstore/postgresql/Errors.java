package dev.ttlstore.postgresql;

import java.sql.SQLException;
import java.util.Locale;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.engine.ConflictException;
import dev.ttlstore.exception.StoreException;
import dev.ttlstore.exception.StoreFullException;

/** Translates what the server and the driver report, by SQLSTATE. */
final class Errors {

    private Errors() {}

    /** Translates a failure. What the server says in detail is left out, because it may quote keys. */
    static RuntimeException translate(SQLException e) {
        SQLException cause = withoutDetail(e);
        String state = state(e);
        return switch (state) {
            case "40001", "40P01" -> new ConflictException("Another transaction came first");
            case "53100", "53200", "54000" ->
                new StoreFullException(
                        "PostgreSQL has no room left (" + state + "). Nothing was written. Free space on its disk, or"
                                + " raise its limits",
                        cause);
            case "25006" ->
                new StoreException(
                        "PostgreSQL is read-only here",
                        "Let the DataSource connect to the primary, for instance with targetServerType=primary",
                        cause);
            case "55P03" ->
                new StoreException(
                        "Another process holds the rows of this write for too long; nothing was written",
                        "Look for a stopped process or an open transaction in pg_stat_activity, and try again",
                        cause);
            case "57014" ->
                new StoreException(
                        "PostgreSQL has cancelled a statement of the store; nothing was written",
                        "Raise the statement_timeout of the role, or try again",
                        cause);
            case "42501" ->
                new StoreException(
                        "The role may not do this in the schema of the store",
                        "Grant it what the end of schema.sql lists, or let it create the schema",
                        cause);
            case "3F000", "42P01", "42703" ->
                new StoreException(
                        "Tables of the store are missing or have another layout",
                        "Open the store with initializeSchema(true), or apply schema.sql from the jar",
                        cause);
            case "26000", "42P05" ->
                new StoreException(
                        "A prepared statement of the driver is not where it was: there is a pooler between the store"
                                + " and PostgreSQL that shares connections between transactions",
                        "Set prepareThreshold=0 in the URL of the DataSource",
                        cause);
            case "53300" ->
                new StoreException(
                        "PostgreSQL accepts no more connections",
                        "Use smaller pools, or raise its max_connections",
                        cause);
            default ->
                isConnectionLost(e)
                        ? new StoreException(
                                "The connection to PostgreSQL is lost or could not be made",
                                "Try again; the store recovers by itself as soon as the server can be reached",
                                cause)
                        : new StoreException("PostgreSQL has refused a statement of the store (" + state + ")", cause);
        };
    }

    /** Tests whether the server cannot be heard any more, so that it is not known what it has done. */
    static boolean isConnectionLost(SQLException e) {
        String state = state(e);
        return state.startsWith("08")
                || state.startsWith("57P")
                || state.startsWith("58")
                || state.startsWith("XX")
                || state.isEmpty()
                || e instanceof java.sql.SQLRecoverableException
                || e instanceof java.sql.SQLNonTransientConnectionException
                || e instanceof java.sql.SQLTransientConnectionException;
    }

    /** Tests whether a row with the same key was there already. */
    static boolean isDuplicate(SQLException e) {
        return state(e).equals("23505");
    }

    /** Tests whether the server only reads. */
    static boolean isReadOnly(SQLException e) {
        return state(e).equals("25006");
    }

    private static String state(SQLException e) {
        String state = e.getSQLState();
        return state == null ? "" : state.toUpperCase(Locale.ROOT);
    }

    /** Copies an exception of the driver, with the first line of its message only. */
    private static SQLException withoutDetail(SQLException e) {
        SQLException copy = new SQLException(firstLine(e.getMessage()), e.getSQLState(), e.getErrorCode());
        copy.setStackTrace(e.getStackTrace());
        return copy;
    }

    private static String firstLine(@Nullable String message) {
        if (message == null) {
            return "";
        }
        int end = message.indexOf('\n');
        return end < 0 ? message : message.substring(0, end);
    }
}
