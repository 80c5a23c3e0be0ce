package dev.ttlstore.postgresql;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Predicate;

import javax.sql.DataSource;

import org.jspecify.annotations.Nullable;

import static java.util.Objects.requireNonNull;

/** A data source that sees the statements of a node: it counts some, and lets others fail or have no effect. Thread-safe. */
final class TappedDataSource {

    /** How often the node has looked at the log. */
    final AtomicInteger finalTimes = new AtomicInteger();

    /** How often the node has read an entry by its key. */
    final AtomicInteger reads = new AtomicInteger();

    private final DataSource source;
    private volatile boolean deaf;
    private volatile boolean blind;

    TappedDataSource(DataSource behind) {
        source = (DataSource) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {DataSource.class}, (proxy, method, arguments) -> {
                    Object answer = invoke(behind, method, arguments);
                    return answer instanceof Connection connection ? tap(connection) : answer;
                });
    }

    DataSource source() {
        return source;
    }

    /** Lets {@code LISTEN} have no effect, as a pooler does in transaction mode, or lets it work. */
    void deaf(boolean now) {
        deaf = now;
    }

    /** Lets looks at the log fail, or lets them work. */
    void blind(boolean now) {
        blind = now;
    }

    private Connection tap(Connection connection) {
        return (Connection) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {Connection.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("prepareStatement") && arguments != null) {
                        arguments[0] = seen((String) arguments[0]);
                    }
                    return invoke(connection, method, arguments);
                });
    }

    private String seen(String text) throws SQLException {
        if (text.contains("ORDER BY l.slot, l.seq")) {
            finalTimes.incrementAndGet();
            if (blind) {
                throw new SQLException("the log cannot be read", "42501");
            }
        }
        if (text.contains("e.key = ?") && !text.contains("BEGIN")) {
            reads.incrementAndGet();
        }
        return deaf && text.startsWith("LISTEN") ? "SELECT 1" : text;
    }

    /** Returns a data source that hands out nothing to a thread that is interrupted, as pools do. */
    static DataSource refusingIfInterrupted(DataSource source) {
        return (DataSource) Proxy.newProxyInstance(
                DataSource.class.getClassLoader(), new Class<?>[] {DataSource.class}, (proxy, method, arguments) -> {
                    if (Thread.currentThread().isInterrupted()) {
                        throw new SQLException("interrupted", "08001");
                    }
                    return invoke(source, method, arguments);
                });
    }

    /** Returns a data source whose connections' metadata answer one question with something else. */
    static DataSource answering(DataSource source, String method, Object answer) {
        return around(DataSource.class, source, method, answer);
    }

    /** Returns a data source whose connections do something before they make an array of values. */
    static DataSource beforeArrays(DataSource source, Runnable work) {
        return (DataSource) Proxy.newProxyInstance(
                DataSource.class.getClassLoader(), new Class<?>[] {DataSource.class}, (proxy, method, arguments) -> {
                    Object answer = invoke(source, method, arguments);
                    return answer instanceof Connection connection ? beforeArrays(connection, work) : answer;
                });
    }

    private static Object beforeArrays(Connection connection, Runnable work) {
        return Proxy.newProxyInstance(
                Connection.class.getClassLoader(), new Class<?>[] {Connection.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("createArrayOf") && "bytea".equals(requireNonNull(arguments)[0])) {
                        work.run();
                    }
                    return invoke(connection, method, arguments);
                });
    }

    /** Returns a data source that shows the texts among the parameters of statements. */
    static DataSource showingTexts(DataSource source, Consumer<String> texts) {
        return showingTexts(DataSource.class, source, texts);
    }

    private static <T> T showingTexts(Class<T> type, Object target, Consumer<String> texts) {
        return type.cast(
                Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (proxy, called, arguments) -> {
                    if (called.getName().equals("setObject") && requireNonNull(arguments)[1] instanceof String text) {
                        texts.accept(text);
                    }
                    Object found = invoke(target, called, arguments);
                    return found instanceof Connection
                            ? showingTexts(Connection.class, found, texts)
                            : found instanceof PreparedStatement
                                    ? showingTexts(PreparedStatement.class, found, texts)
                                    : found;
                }));
    }

    /** Returns a data source whose statements may throw when they have run, as those of a wrapper around the driver. */
    static DataSource throwingAfter(DataSource source, Predicate<String> text) {
        return throwingAfter(DataSource.class, source, "", text);
    }

    private static <T> T throwingAfter(Class<T> type, Object target, String text, Predicate<String> isFailing) {
        return type.cast(
                Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (proxy, called, arguments) -> {
                    Object found = invoke(target, called, arguments);
                    if (called.getName().startsWith("execute") && isFailing.test(text)) {
                        throw new IllegalStateException("after the statement");
                    }
                    return found instanceof Connection
                            ? throwingAfter(Connection.class, found, text, isFailing)
                            : found instanceof PreparedStatement
                                    ? throwingAfter(
                                            PreparedStatement.class,
                                            found,
                                            (String) requireNonNull(arguments)[0],
                                            isFailing)
                                    : found;
                }));
    }

    private static <T> T around(Class<T> type, Object target, String method, Object answer) {
        return type.cast(
                Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (proxy, called, arguments) -> {
                    if (called.getName().equals(method)) {
                        return answer;
                    }
                    Object found = invoke(target, called, arguments);
                    return found instanceof Connection
                            ? around(Connection.class, found, method, answer)
                            : found instanceof DatabaseMetaData
                                    ? around(DatabaseMetaData.class, found, method, answer)
                                    : found;
                }));
    }

    /** Calls a method, and throws what it throws. */
    static @Nullable Object invoke(Object target, Method method, @Nullable Object @Nullable [] arguments)
            throws Throwable {
        try {
            return method.invoke(target, arguments);
        } catch (InvocationTargetException e) {
            Throwable cause = e.getCause();
            throw cause == null ? e : cause;
        }
    }
}
