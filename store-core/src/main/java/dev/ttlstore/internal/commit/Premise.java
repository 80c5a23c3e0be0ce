package dev.ttlstore.internal.commit;

import java.util.List;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.engine.EngineTransaction;
import dev.ttlstore.engine.Expected;
import dev.ttlstore.engine.Row;
import dev.ttlstore.engine.RowKey;
import dev.ttlstore.internal.decision.Condition;
import dev.ttlstore.internal.decision.ExpiryRule;
import dev.ttlstore.internal.decision.Operation;
import dev.ttlstore.internal.decision.Request;

import static java.util.Objects.requireNonNull;

/**
 * What a request says of its only row before it is loaded. An engine that finds out whether that still holds when it commits may do
 * without loading the row.
 */
sealed interface Premise {

    /**
     * Returns what a request says of its only row.
     *
     * @param request the request
     * @return null if its rows must be loaded
     */
    static @Nullable Premise of(Request request) {
        if (!request.checks().isEmpty() || request.operations().size() != 1) {
            return null;
        }
        Operation operation = request.operations().get(0);
        Request.Read read = request.read();
        if (read != null) {
            return new AsRead(operation.key(), read.row());
        }
        ExpiryRule expiry = operation.effect().expiry();
        Condition condition = operation.condition();
        return switch (operation.effect().kind()) {
            case PUT ->
                condition.kind() == Condition.Kind.ALWAYS
                        ? overwriting(operation.key(), requireNonNull(expiry))
                        : expecting(operation, expiry);
            case DELETE, RESCHEDULE -> expecting(operation, expiry);
            case ADD -> adding(operation);
            case NOTHING, COMPUTE, RESTORE, MEND -> null;
        };
    }

    private static @Nullable Premise overwriting(RowKey key, ExpiryRule expiry) {
        return expiry.looksAtEntry() ? null : new Overwriting(key);
    }

    /** A rule that looks at the entry needs the true one. */
    private static @Nullable Premise expecting(Operation operation, @Nullable ExpiryRule expiry) {
        if (expiry != null && expiry.looksAtEntry()) {
            return null;
        }
        Condition condition = operation.condition();
        Expected.Form answered = operation.returning() ? Expected.Form.BYTES : null;
        Expected expected =
                switch (condition.kind()) {
                    case LIVE -> new Expected(null, null, answered, null);
                    case TEXT -> Expected.answering(Expected.Form.TEXT);
                    case VERSION -> Expected.ofVersion(condition.number());
                    case VALUE -> Expected.holding(requireNonNull(condition.value()));
                    case ALWAYS, ABSENT, CREATED_BY, TEST -> null;
                };
        return expected == null ? null : new Expecting(operation.key(), expected);
    }

    private static @Nullable Premise adding(Operation operation) {
        long delta = operation.effect().delta();
        return operation.condition().kind() == Condition.Kind.ALWAYS && Expected.canAdd(delta)
                ? new Expecting(operation.key(), Expected.adding(delta))
                : null;
    }

    /**
     * Returns the name of the row.
     *
     * @return the name
     */
    RowKey key();

    /**
     * Returns the row by which the request is decided.
     *
     * @return the row; null if it counts as missing
     */
    @Nullable
    Row row();

    /**
     * Asks the engine to do without loading the row.
     *
     * @param transaction the commit
     * @return whether it does
     */
    boolean isAcceptedBy(EngineTransaction transaction);

    /**
     * It does not matter how the row is.
     *
     * @param key the name of the row
     */
    record Overwriting(RowKey key) implements Premise {
        @Override
        public @Nullable Row row() {
            return null;
        }

        @Override
        public boolean isAcceptedBy(EngineTransaction transaction) {
            return transaction.canOverwrite(List.of(key));
        }
    }

    /**
     * The row is as it was read.
     *
     * @param key the name of the row
     * @param row the live row; null if there was none
     */
    record AsRead(RowKey key, @Nullable Row row) implements Premise {
        @Override
        public boolean isAcceptedBy(EngineTransaction transaction) {
            return transaction.canSuppose(key, row);
        }
    }

    /**
     * There is a live row, and it is as expected. If there is none, or it is not, the engine changes nothing, and the request is
     * decided by what there is. How it changes an expected row depends on nothing else of it, but the answer and the events may.
     *
     * @param key the name of the row
     * @param expected what is expected
     */
    record Expecting(RowKey key, Expected expected) implements Premise {
        @Override
        public Row row() {
            return expected.standIn(key);
        }

        @Override
        public boolean isAcceptedBy(EngineTransaction transaction) {
            return transaction.canExpect(key, expected);
        }
    }
}
