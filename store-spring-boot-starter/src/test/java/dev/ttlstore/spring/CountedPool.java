package dev.ttlstore.spring;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.CallableStatement;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.Statement;
import java.util.Set;

import javax.sql.DataSource;

import org.jspecify.annotations.Nullable;

/**
 * Counts the round trips to a database that the thread waits for which has created it: each statement, commit and rollback is one. Not
 * thread-safe.
 */
public final class CountedPool {

    private static final Set<String> TRIPS = Set.of("commit", "rollback");

    private final Thread counted = Thread.currentThread();
    private long trips;

    /** Counts the round trips of this thread. */
    public CountedPool() {}

    /** Returns how many there were since the last call. */
    public long take() {
        long taken = trips;
        trips = 0;
        return taken;
    }

    /** Returns a pool whose connections are counted. */
    public DataSource of(DataSource pool) {
        return wrap(DataSource.class, pool);
    }

    private <T> T wrap(Class<T> type, T target) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(),
                new Class<?>[] {type},
                (proxy, method, arguments) -> call(target, method, arguments)));
    }

    private @Nullable Object call(Object target, Method method, Object @Nullable [] arguments) throws Throwable {
        String name = method.getName();
        boolean trip = target instanceof Statement ? name.startsWith("execute") : TRIPS.contains(name);
        if (trip && Thread.currentThread() == counted) {
            trips++;
        }
        try {
            Object result = method.invoke(target, arguments);
            return name.equals("unwrap") ? result : wrapResult(result);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    private @Nullable Object wrapResult(@Nullable Object result) {
        if (result instanceof Connection connection) {
            return wrap(Connection.class, connection);
        } else if (result instanceof CallableStatement statement) {
            return wrap(CallableStatement.class, statement);
        } else if (result instanceof PreparedStatement statement) {
            return wrap(PreparedStatement.class, statement);
        } else if (result instanceof Statement statement) {
            return wrap(Statement.class, statement);
        }
        return result;
    }
}
