package dev.ttlstore.postgresql;

import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.function.BiConsumer;

import javax.sql.DataSource;

import org.jspecify.annotations.Nullable;

/** A data source that shows each statement after it has run, and each that has failed. Thread-safe. */
final class StatementTap {

    private final DataSource source;
    private final Ran ran;
    private final BiConsumer<String, SQLException> failed;

    /** Gets a statement that has run. */
    @FunctionalInterface
    interface Ran {
        void note(Statement statement) throws SQLException;
    }

    /**
     * Starts.
     *
     * @param behind the data source whose connections are used
     * @param ran gets each statement that has run
     * @param failed gets the text of each statement that has failed, and why
     */
    StatementTap(DataSource behind, Ran ran, BiConsumer<String, SQLException> failed) {
        this.ran = ran;
        this.failed = failed;
        this.source = tap(DataSource.class, behind);
    }

    DataSource source() {
        return source;
    }

    private <T> T tap(Class<T> type, T target) {
        return type.cast(
                Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (proxy, method, arguments) -> {
                    Object answer;
                    try {
                        answer = TappedDataSource.invoke(target, method, arguments);
                    } catch (SQLException e) {
                        failed.accept(String.valueOf(target), e);
                        throw e;
                    }
                    if (target instanceof Statement statement
                            && method.getName().startsWith("execute")) {
                        ran.note(statement);
                    }
                    return tapped(method.getReturnType(), answer);
                }));
    }

    private @Nullable Object tapped(Class<?> type, @Nullable Object answer) {
        return answer != null && (type == Connection.class || Statement.class.isAssignableFrom(type))
                ? tapAs(type, answer)
                : answer;
    }

    private <T> T tapAs(Class<T> type, Object answer) {
        return tap(type, type.cast(answer));
    }
}
