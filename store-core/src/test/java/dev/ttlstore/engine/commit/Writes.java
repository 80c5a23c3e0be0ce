package dev.ttlstore.engine.commit;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.function.UnaryOperator;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.engine.Condition;
import dev.ttlstore.engine.Effect;
import dev.ttlstore.engine.ExpiryRule;
import dev.ttlstore.engine.Operation;
import dev.ttlstore.engine.Request;
import dev.ttlstore.engine.RowKey;
import dev.ttlstore.internal.access.Mutation;
import dev.ttlstore.internal.commit.CommitPipeline;

/** The writes that tests of commits make, and how they make them. */
public final class Writes {

    private Writes() {}

    public static <R extends @Nullable Object> R apply(Draft draft, Mutation<R> mutation) {
        return mutation.reading().apply(draft.decide(mutation.request()));
    }

    public static <R extends @Nullable Object> R submit(CommitPipeline pipeline, Mutation<R> mutation) {
        return mutation.reading().apply(pipeline.submit(mutation.request()));
    }

    public static Mutation<OptionalLong> putIfAbsent(RowKey key, byte[] value, ExpiryRule expiry) {
        return Mutation.put(key, Condition.ABSENT, value, expiry);
    }

    public static Mutation<Long> putAll(Map<RowKey, byte[]> values, ExpiryRule expiry) {
        return Mutation.all(values.entrySet().stream()
                .map(value -> new Operation(value.getKey(), Condition.ALWAYS, Effect.put(value.getValue(), expiry)))
                .toList());
    }

    public static Mutation<OptionalLong> replaceVersion(RowKey key, long version, byte[] value, ExpiryRule expiry) {
        return Mutation.put(key, Condition.version(version), value, expiry);
    }

    public static Mutation<Boolean> delete(RowKey key) {
        return Mutation.change(key, Condition.LIVE, Effect.DELETE);
    }

    public static Mutation<Boolean> deleteVersion(RowKey key, long version) {
        return Mutation.change(key, Condition.version(version), Effect.DELETE);
    }

    public static Mutation<Boolean> reschedule(RowKey key, ExpiryRule expiry) {
        return Mutation.change(key, Condition.LIVE, Effect.reschedule(expiry));
    }

    public static Mutation<byte[]> merge(RowKey key, UnaryOperator<byte[]> change, byte[] initial, ExpiryRule expiry) {
        return new Mutation<>(
                new Operation(key, Condition.ALWAYS, Effect.compute(change, initial, expiry)),
                answer -> Objects.requireNonNull(answer.only().row()).value());
    }

    /** Changes all rows that it names, and fails then. */
    public static Mutation<Boolean> failing(Throwable failure, RowKey... keys) {
        List<Operation> operations = new ArrayList<>();
        for (RowKey key : keys) {
            operations.add(new Operation(key, Condition.LIVE, Effect.DELETE));
            operations.add(new Operation(key, Condition.ALWAYS, Effect.put(Rows.value("failed"), ExpiryRule.NEVER)));
        }
        operations.add(new Operation(Rows.key("fails"), Condition.test(row -> fail(failure)), Effect.DELETE));
        return new Mutation<>(Request.all(operations), answer -> true);
    }

    private static boolean fail(Throwable failure) {
        if (failure instanceof Error error) {
            throw error;
        }
        throw (RuntimeException) failure;
    }
}
