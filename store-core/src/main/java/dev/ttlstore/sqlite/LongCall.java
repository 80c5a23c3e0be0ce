package dev.ttlstore.sqlite;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.function.BooleanSupplier;

import org.jspecify.annotations.Nullable;
import org.sqlite.ProgressHandler;

/**
 * A call during which SQLite asks from time to time whether to go on. In a class of its own, because the others are also loaded without
 * the driver, to say that it is missing.
 */
final class LongCall extends ProgressHandler {

    private final BooleanSupplier goOn;

    private LongCall(BooleanSupplier goOn) {
        this.goOn = goOn;
    }

    static <R extends @Nullable Object> R run(
            Connection connection, int stepsBetween, BooleanSupplier goOn, Statements.Call<R> call)
            throws SQLException {
        ProgressHandler.setHandler(connection, stepsBetween, new LongCall(goOn));
        try {
            return call.run();
        } finally {
            ProgressHandler.clearHandler(connection);
        }
    }

    @Override
    protected int progress() {
        return goOn.getAsBoolean() ? 0 : 1;
    }
}
