package dev.ttlstore.postgresql;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.engine.Condition;
import dev.ttlstore.engine.ExpiryRule;
import dev.ttlstore.engine.Operation;
import dev.ttlstore.engine.Request;
import dev.ttlstore.engine.RowKey;

import static java.util.Objects.requireNonNull;

/**
 * What requests say of their rows, so that a commit can be decided before they are read. Without a row that was read, and without
 * expectations, it does not matter how the rows are.
 *
 * @param keys the names of the rows, none twice; one only if anything is said of it
 * @param read the row as its caller has read it; null if it has not said so
 * @param expected what must hold of the live row, so that anything is changed; null if nothing must. How an expected row changes depends
 *     on nothing else of it, but the answer and the events may
 */
record Premise(
        List<RowKey> keys,
        Request.@Nullable Read read,
        @Nullable Expected expected) {

    /** Tests whether it does not matter how the rows are. */
    boolean isOverwriting() {
        return read == null && expected == null;
    }

    RowKey key() {
        return keys.get(0);
    }

    /**
     * Returns what the requests of a commit say of its rows: of one row, or of several that are overwritten, each once.
     *
     * @param requests the requests
     * @return null if their rows must be loaded
     */
    static @Nullable Premise of(List<Request> requests) {
        if (requests.size() == 1) {
            return of(requests.get(0));
        }
        List<RowKey> keys = new ArrayList<>(requests.size());
        Set<RowKey> distinct = new HashSet<>();
        for (Request request : requests) {
            Premise one = of(request);
            if (one == null || !one.isOverwriting() || !distinct.add(one.key())) {
                return null;
            }
            keys.add(one.key());
        }
        return keys.isEmpty() ? null : new Premise(keys, null, null);
    }

    private static @Nullable Premise of(Request request) {
        if (!request.checks().isEmpty() || request.operations().size() != 1) {
            return null;
        }
        Operation operation = request.operations().get(0);
        Request.Read read = request.read();
        if (read != null) {
            return new Premise(List.of(operation.key()), read, null);
        }
        ExpiryRule expiry = operation.effect().expiry();
        return switch (operation.effect().kind()) {
            case PUT ->
                operation.condition().kind() == Condition.Kind.ALWAYS
                        ? overwriting(operation.key(), requireNonNull(expiry))
                        : expecting(operation, expiry);
            case DELETE, RESCHEDULE -> expecting(operation, expiry);
            case ADD -> adding(operation);
            case NOTHING, COMPUTE, RESTORE, MEND -> null;
        };
    }

    private static @Nullable Premise overwriting(RowKey key, ExpiryRule expiry) {
        return expiry.looksAtEntry() ? null : new Premise(List.of(key), null, null);
    }

    /** A rule that looks at the entry needs the true one. */
    private static @Nullable Premise expecting(Operation operation, @Nullable ExpiryRule expiry) {
        if (expiry != null && expiry.looksAtEntry()) {
            return null;
        }
        Condition condition = operation.condition();
        Expected expected =
                switch (condition.kind()) {
                    case LIVE -> operation.returning() ? Expected.answering(Expected.Form.BYTES) : Expected.anything();
                    case TEXT -> Expected.answering(Expected.Form.TEXT);
                    case VERSION -> Expected.ofVersion(condition.number());
                    case VALUE -> Expected.holding(requireNonNull(condition.value()));
                    case ALWAYS, ABSENT, CREATED_BY, TEST -> null;
                };
        return expected == null ? null : new Premise(List.of(operation.key()), null, expected);
    }

    private static @Nullable Premise adding(Operation operation) {
        long delta = operation.effect().delta();
        return operation.condition().kind() == Condition.Kind.ALWAYS && Expected.canAdd(delta)
                ? new Premise(List.of(operation.key()), null, Expected.adding(delta))
                : null;
    }
}
