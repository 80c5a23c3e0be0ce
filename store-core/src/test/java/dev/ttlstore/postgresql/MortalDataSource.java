package dev.ttlstore.postgresql;

import java.io.PrintWriter;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.logging.Logger;

import javax.sql.DataSource;

import org.jspecify.annotations.Nullable;
import org.postgresql.jdbc.PgConnection;

import com.zaxxer.hikari.HikariDataSource;

/**
 * A data source whose user can die: its open connections are cut where they are, and it gives no more. Several of them can share
 * one pool, because each cuts only the connections that it gave. It also counts them, so that a test can look for leaks.
 * Thread-safe.
 */
final class MortalDataSource implements DataSource {

    /** What a test does when somebody asks for a connection: wait, count, or fail. */
    interface Hook {
        void run() throws SQLException;
    }

    private final DataSource source;
    private final Set<PgConnection> open = ConcurrentHashMap.newKeySet();

    private volatile boolean dead;
    private volatile Hook hook = () -> {};

    MortalDataSource(DataSource source) {
        this.source = source;
    }

    /** Returns how many connections were given and not closed. */
    int connections() {
        return open.size();
    }

    /** Runs something in the thread of whoever asks for a connection, before the answer. */
    void beforeConnections(Hook next) {
        hook = next;
    }

    /** Cuts all open connections, as the network does; new ones work. */
    void cut() {
        synchronized (open) {
            open.forEach(MortalDataSource::abort);
        }
    }

    /** Cuts all open connections, and gives no more from now on. */
    void kill() {
        dead = true;
        cut();
    }

    private static void abort(PgConnection connection) {
        try {
            connection.abort(Runnable::run);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public Connection getConnection() throws SQLException {
        hook.run();
        checkAlive();
        Connection connection = source.getConnection();
        PgConnection physical = connection.unwrap(PgConnection.class);
        open.add(physical);
        if (dead) {
            abort(physical);
            checkAlive();
        }
        return (Connection) Proxy.newProxyInstance(
                MortalDataSource.class.getClassLoader(),
                new Class<?>[] {Connection.class},
                (proxy, method, arguments) -> call(connection, physical, method, arguments));
    }

    private void checkAlive() throws SQLException {
        if (dead) {
            throw new SQLException("this process has died", "08006");
        }
    }

    private @Nullable Object call(
            Connection connection, PgConnection physical, Method method, @Nullable Object @Nullable [] arguments)
            throws Throwable {
        if (method.getName().equals("close")) {
            synchronized (open) { // or it could be cut when somebody else has it
                open.remove(physical);
            }
            if (physical.isClosed() && source instanceof HikariDataSource pool) {
                // A pool does not test a connection that was used just now before it gives it to somebody else.
                pool.evictConnection(connection);
            }
        }
        try {
            return method.invoke(connection, arguments);
        } catch (InvocationTargetException e) {
            Throwable cause = e.getCause();
            throw cause == null ? e : cause;
        }
    }

    @Override
    public Connection getConnection(String user, String password) throws SQLException {
        throw new SQLException("use the one without arguments");
    }

    @Override
    public PrintWriter getLogWriter() throws SQLException {
        return source.getLogWriter();
    }

    @Override
    public void setLogWriter(PrintWriter out) throws SQLException {
        source.setLogWriter(out);
    }

    @Override
    public void setLoginTimeout(int seconds) throws SQLException {
        source.setLoginTimeout(seconds);
    }

    @Override
    public int getLoginTimeout() throws SQLException {
        return source.getLoginTimeout();
    }

    @Override
    public Logger getParentLogger() {
        return Logger.getLogger("dev.ttlstore");
    }

    @Override
    public <T> T unwrap(Class<T> type) throws SQLException {
        return source.unwrap(type);
    }

    @Override
    public boolean isWrapperFor(Class<?> type) throws SQLException {
        return source.isWrapperFor(type);
    }
}
