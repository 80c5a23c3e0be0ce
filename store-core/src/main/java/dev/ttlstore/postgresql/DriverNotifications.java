package dev.ttlstore.postgresql;

import java.lang.reflect.Array;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

/**
 * Receives notifications through the driver. JDBC has no notion of them, so this calls {@code getNotifications} of {@code
 * org.postgresql.PGConnection} by name: the engine is compiled without a driver, and works with others, without notifications.
 *
 * @param connection the driver's own connection
 * @param receive waits for notifications
 * @param payload reads what one says
 */
record DriverNotifications(Object connection, Method receive, Method payload) {

    private static final String CONNECTION = "org.postgresql.PGConnection";

    private static final String NOTIFICATION = "org.postgresql.PGNotification";

    /** Returns the notifications of a connection; null if its driver is another one. */
    static @Nullable DriverNotifications of(Connection connection) throws SQLException {
        Class<?> type = find(connection);
        if (type == null || !connection.isWrapperFor(type)) {
            return null;
        }
        try {
            return new DriverNotifications(
                    connection.unwrap(type),
                    type.getMethod("getNotifications", int.class),
                    Class.forName(NOTIFICATION, false, type.getClassLoader()).getMethod("getParameter"));
        } catch (ReflectiveOperationException e) { // a version of the driver that is too old
            return null;
        }
    }

    /** Finds the driver's class where this class would, where the thread would, or where the connection comes from. */
    private static @Nullable Class<?> find(Connection connection) {
        return Stream.of(
                        DriverNotifications.class.getClassLoader(),
                        Thread.currentThread().getContextClassLoader(),
                        connection.getClass().getClassLoader())
                .flatMap(DriverNotifications::load)
                .findFirst()
                .orElse(null);
    }

    private static Stream<Class<?>> load(ClassLoader loader) {
        try {
            return Stream.of(Class.forName(CONNECTION, false, loader));
        } catch (ClassNotFoundException e) {
            return Stream.empty();
        }
    }

    /**
     * Waits until there are notifications, but not for longer than a while.
     *
     * @param millis how long; more than zero
     * @return what they say; empty if there are none
     */
    List<String> await(int millis) throws SQLException {
        try {
            Object found = receive.invoke(connection, millis);
            List<String> payloads = new ArrayList<>();
            for (int i = 0; found != null && i < Array.getLength(found); i++) {
                payloads.add(String.valueOf(payload.invoke(Objects.requireNonNull(Array.get(found, i)))));
            }
            return payloads;
        } catch (InvocationTargetException e) {
            if (e.getCause() instanceof SQLException cause) {
                throw cause;
            }
            if (e.getCause() instanceof Error cause) {
                throw cause; // says nothing about the driver
            }
            throw new SQLException("The driver could not receive notifications", e);
        } catch (IllegalAccessException e) {
            throw new SQLException("The driver's notifications are not accessible", e);
        }
    }
}
