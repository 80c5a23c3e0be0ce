package dev.ttlstore.postgresql;

import java.io.IOException;
import java.net.SocketTimeoutException;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.util.Locale;
import java.util.Set;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.engine.ConflictException;
import dev.ttlstore.exception.StoreCorruptedException;
import dev.ttlstore.exception.StoreException;
import dev.ttlstore.exception.StoreFullException;
import dev.ttlstore.exception.StoreUnavailableException;

/** Translates what the server and the driver report, by SQLSTATE. */
final class Errors {

    /** The class of errors in data, which quote them. */
    private static final String DATA = "22";

    /** The state of a lock that was not to be had in time. */
    static final String TIMED_OUT = "55P03";

    private static final String POOL =
            "; if it can be reached now, use a larger pool, or look for connections that are not given back";

    private Errors() {}

    /** The server's message contains the name of the statement in each language. */
    private static boolean isOfNotifications(SQLException e) {
        return String.valueOf(e.getMessage()).contains("NOTIFY");
    }

    /** Translates a failure. What the server says in detail is left out, because it may quote keys. */
    static RuntimeException translate(SQLException e) {
        SQLException cause = withoutDetail(e);
        String state = isOfAnotherSession(e) ? "26000" : state(e);
        return switch (state) {
            case "40001", "40P01" -> new ConflictException("Another transaction came first");
            case "54000" ->
                isOfNotifications(e)
                        ? new StoreException(
                                "PostgreSQL has no room for another notification",
                                "Look for a session that listens, to whatever channel, and keeps a transaction open; the server's"
                                        + " log names it",
                                cause)
                        : new StoreException(
                                "A row is too large for an index of PostgreSQL; nothing was written",
                                "Use shorter keys, names of groups, or names of subscribers",
                                cause);
            case "53100", "53200" ->
                new StoreFullException(
                        "PostgreSQL has no room left (" + state + "). Nothing was written. Free space on its disk, or"
                                + " raise its limits",
                        cause);
            case "25006" -> readOnly("PostgreSQL is read-only here", cause);
            case "0A000" -> // on a standby, for BEGIN READ WRITE
                readOnly("PostgreSQL is read-only here, or is another database that lacks something", cause);
            case TIMED_OUT ->
                new StoreException(
                        "Another process holds the rows of this write for too long; nothing was written",
                        "Look for a stopped process or an open transaction in pg_stat_activity, and try again",
                        cause);
            case "57014" ->
                new StoreException(
                        "PostgreSQL has cancelled a statement of the store; nothing was written",
                        "Raise the timeout of the transaction, if it is one of the application's, or the"
                                + " statement_timeout of the role, or try again",
                        cause);
            case "25P03", "25P04" ->
                new StoreException(
                        "PostgreSQL has ended a transaction of the store because this process kept it open for too long;"
                                + " nothing was written",
                        "Look for what stopped this process, such as a long garbage collection, and try again",
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
            case "XX001", "XX002" ->
                new StoreCorruptedException(
                        "PostgreSQL reports damaged data (" + state + ")",
                        "Look into the log of the server, and check its disk and the tables of the store, for instance with"
                                + " pg_amcheck. If it is an index that is damaged, REINDEX it; otherwise restore a backup",
                        cause);
            case "28000", "28P01" ->
                new StoreUnavailableException(
                        "PostgreSQL does not accept the user of the DataSource or its password",
                        "Correct them, or allow the user in pg_hba.conf",
                        cause);
            case "3D000" ->
                new StoreUnavailableException(
                        "The database of the DataSource does not exist",
                        "Create it, or correct its name in the URL of the DataSource",
                        cause);
            case "53300" ->
                new StoreUnavailableException(
                        "PostgreSQL accepts no more connections",
                        "Use smaller pools, or raise its max_connections",
                        cause);
            default ->
                isConnectionLost(e)
                        ? new StoreUnavailableException(
                                "The connection to PostgreSQL is lost or could not be made",
                                "Try again; the store recovers by itself as soon as the server can be reached"
                                        + (hasWaitedForPool(e) ? POOL : ""),
                                cause)
                        : isFault(e) ? faulty(state, cause) : refused(e);
        };
    }

    private static StoreException faulty(String state, SQLException cause) {
        return new StoreException(
                "PostgreSQL reports a fault of its own (" + state + ")",
                "Look into the log of the server, and check its disk",
                cause);
    }

    private static StoreException readOnly(String problem, SQLException cause) {
        return new StoreException(
                problem,
                "Let the DataSource connect to the primary, for instance with targetServerType=primary",
                cause);
    }

    /** Says that the server has refused a statement. */
    static StoreException refused(SQLException e) {
        return new StoreException(
                "PostgreSQL has refused a statement of the store (" + state(e) + ")", withoutDetail(e));
    }

    /** Tests whether a pool has waited in vain: for the server, or for a connection that is given back. It does not say which. */
    private static boolean hasWaitedForPool(SQLException e) {
        return e instanceof SQLTransientConnectionException && state(e).isEmpty() && e.getCause() == null;
    }

    /** Tests whether the server cannot be heard any more, so that it is not known what it has done. */
    static boolean isConnectionLost(SQLException e) {
        String state = state(e);
        return state.startsWith("08")
                || state.startsWith("57P")
                || state.equals("40003")
                || state.isEmpty()
                || e instanceof java.sql.SQLRecoverableException
                || e instanceof java.sql.SQLNonTransientConnectionException
                || e instanceof SQLTransientConnectionException;
    }

    /** Tests whether the server may not know itself what it has done, or is not heard any more. */
    static boolean isDoubtful(SQLException e) {
        return isConnectionLost(e) || isFault(e) || e.getCause() instanceof OutOfMemoryError; // here, for the answer
    }

    /**
     * Tests whether a server has given up a statement that another one may have committed for it: it was cancelled or took too long, or there
     * was no memory for the answer. A full disk is that of the other one, because this one writes nothing.
     */
    static boolean isInterrupted(SQLException e) {
        return Set.of("57014", "25P04", "53200").contains(state(e));
    }

    /** Tests whether something is wrong in the server or its machine. Some poolers say that too if they have lost the server. */
    private static boolean isFault(SQLException e) {
        return state(e).startsWith("58") || state(e).startsWith("XX");
    }

    /**
     * Tests whether a statement that changes nothing may help if it is repeated at once on another connection: this one was
     * dead, as after a restart of the server. The server's silence is none of that, or each wait would last twice as long.
     */
    static boolean isStale(SQLException e) {
        return isConnectionLost(e) && !(e.getCause() instanceof SocketTimeoutException);
    }

    /** Tests whether the server has preferred another transaction. */
    static boolean isConflict(SQLException e) {
        return state(e).equals("40001") || state(e).equals("40P01");
    }

    /** Tests whether a row with the same key was there already. */
    static boolean isDuplicate(SQLException e) {
        return state(e).equals("23505");
    }

    /** Tests whether a table or a column is not there. */
    static boolean isMissing(SQLException e) {
        return state(e).equals("42P01") || state(e).equals("42703");
    }

    /** Tests whether the server does not have a function, or not for this role, or not in its present state. */
    static boolean isUnsupported(SQLException e) {
        return Set.of("42501", "42883", "0A000", "55000").contains(state(e));
    }

    /** Tests whether the role lacks a right. */
    static boolean isForbidden(SQLException e) {
        return state(e).equals("42501");
    }

    /** Tests whether bytes were to be text, and are none in the server's eyes. */
    static boolean isNoText(SQLException e) {
        return state(e).equals("22021");
    }

    /** Tests whether the server only reads. */
    static boolean isReadOnly(SQLException e) {
        return state(e).equals("25006") || state(e).equals("0A000");
    }

    /**
     * Tests whether a prepared statement was found that another session has prepared under the same name, as behind a pooler. The
     * message quotes the name, in whichever language it is.
     */
    private static boolean isOfAnotherSession(SQLException e) {
        String message = e.getMessage();
        return state(e).equals("08P01") && message != null && message.contains("\"S_");
    }

    private static String state(SQLException e) {
        String state = e.getSQLState();
        return state == null ? "" : state.toUpperCase(Locale.ROOT);
    }

    /** Copies an exception of the driver, with the first line of its message only, and without that if it may quote a value. */
    static SQLException withoutDetail(SQLException e) {
        String message = state(e).startsWith(DATA)
                ? "The message is left out, because it may quote a key or a value"
                : firstLine(e.getMessage());
        SQLException copy = new SQLException(message, e.getSQLState(), e.getErrorCode());
        copy.setStackTrace(e.getStackTrace());
        Throwable cause = e.getCause();
        if (cause instanceof SQLException nested && nested != e) {
            Throwable unused =
                    copy.initCause(withoutDetail(nested)); // such as a wrong password, behind a pool's time-out
        } else if (cause instanceof IOException) {
            Throwable unused = copy.initCause(cause);
        }
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
