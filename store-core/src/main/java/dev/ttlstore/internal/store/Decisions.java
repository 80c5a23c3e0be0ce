package dev.ttlstore.internal.store;

import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.function.UnaryOperator;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.Expiry;
import dev.ttlstore.engine.Condition;
import dev.ttlstore.engine.Effect;
import dev.ttlstore.engine.ExpiryRule;
import dev.ttlstore.engine.Operation;
import dev.ttlstore.engine.Request;
import dev.ttlstore.engine.Row;
import dev.ttlstore.engine.RowKey;
import dev.ttlstore.internal.access.Mutation;
import dev.ttlstore.internal.value.RowValues;

/**
 * The writes of a group that answer with a value or compute one. Each is a decision about the live row, which is null if
 * there is none. A value that cannot be read counts as absent if the store's policy says so.
 */
final class Decisions<V> {

    private final GroupMutations<V> mutations;
    private final RowValues<V> values;

    /**
     * Creates the decisions of a group.
     *
     * @param mutations makes the group's mutations
     */
    Decisions(GroupMutations<V> mutations) {
        this.mutations = mutations;
        this.values = mutations.values();
    }

    /** Replaces the value by the result of a function, and keeps the expiry. */
    Function<@Nullable Row, Attempt<Optional<V>>> update(UnaryOperator<V> change) {
        Objects.requireNonNull(change, "'change' must not be null");
        return row -> {
            V value = value(row);
            return row == null || value == null ? nothing() : put(row, changed(change.apply(value)));
        };
    }

    private V changed(@Nullable V value) {
        if (value == null) {
            throw new NullPointerException(
                    "'change' must not return null; to be able to remove the entry use updateOrDelete(…)");
        }
        return value;
    }

    /** Replaces the value by the result of a function, and keeps the expiry, or deletes the entry. */
    Function<@Nullable Row, Attempt<Optional<V>>> updateOrDelete(Function<? super V, Optional<V>> change) {
        Objects.requireNonNull(change, "'change' must not be null");
        return row -> {
            V value = value(row);
            if (row == null || value == null) {
                return nothing();
            }
            Optional<V> changed = change.apply(value);
            if (changed == null) {
                throw new NullPointerException("'change' must not return null; to remove the entry return empty");
            }
            return changed.isPresent()
                    ? put(row, changed.get())
                    : new Attempt<>(unchanged(row, Effect.DELETE), Optional.empty());
        };
    }

    private Attempt<Optional<V>> put(Row row, V value) {
        byte[] encoded = mutations.encode(row.key().key(), value);
        return new Attempt<>(unchanged(row, Effect.put(encoded, ExpiryRule.KEEP)), Optional.of(value));
    }

    /** Deletes the entry and answers with its value. */
    Function<@Nullable Row, Attempt<Optional<V>>> take() {
        return row -> {
            V value = value(row);
            return row == null || value == null
                    ? nothing()
                    : new Attempt<>(unchanged(row, Effect.DELETE), Optional.of(value));
        };
    }

    /** Changes the expiry and answers with the value. */
    Function<@Nullable Row, Attempt<Optional<V>>> getAndExpire(Expiry expiry) {
        ExpiryRule rule = mutations.expiries().of(expiry);
        return row -> {
            V value = value(row);
            return row == null || value == null
                    ? nothing()
                    : new Attempt<>(unchanged(row, Effect.reschedule(rule)), Optional.of(value));
        };
    }

    /** Puts a value and answers with the one before. */
    Function<@Nullable Row, Attempt<Optional<V>>> getAndPut(String key, V value, Expiry expiry) {
        ExpiryRule rule = mutations.expiries().ofPut(expiry);
        return getAndPut(mutations.rowKey(key), mutations.encode(key, value), rule, false);
    }

    /** Puts a value if there is none, and otherwise answers with the one that is there. */
    Function<@Nullable Row, Attempt<Optional<V>>> getAndPutIfAbsent(String key, V value, Expiry expiry) {
        ExpiryRule rule = mutations.expiries().ofPut(expiry);
        return getAndPut(mutations.rowKey(key), mutations.encode(key, value), rule, true);
    }

    private Function<@Nullable Row, Attempt<Optional<V>>> getAndPut(
            RowKey rowKey, byte[] encoded, ExpiryRule rule, boolean onlyIfAbsent) {
        return row -> {
            V before = value(row);
            Operation put = onlyIfAbsent && before != null ? null : put(rowKey, row, encoded, rule);
            return new Attempt<>(put, Optional.ofNullable(before));
        };
    }

    /** Puts a value, if the row is still as it was read. */
    Operation put(RowKey key, @Nullable Row row, byte[] encoded, ExpiryRule rule) {
        Effect put = Effect.put(encoded, rule);
        return row == null ? new Operation(key, Condition.ABSENT, put) : unchanged(row, put);
    }

    /** Changes a row, if it is still as it was read. */
    private static Operation unchanged(Row row, Effect effect) {
        return new Operation(row.key(), Condition.version(row.version()), effect);
    }

    /** Makes a mutation that does in its turn among the writes what {@link #take} does. */
    Mutation<Optional<V>> takeInTurn(String key) {
        return inTurn(key, value -> value != null, Effect.DELETE);
    }

    /** Makes a mutation that does in its turn among the writes what {@link #getAndExpire} does. */
    Mutation<Optional<V>> getAndExpireInTurn(String key, Expiry expiry) {
        return inTurn(
                key,
                value -> value != null,
                Effect.reschedule(mutations.expiries().of(expiry)));
    }

    /** Makes a mutation that does in its turn among the writes what {@link #getAndPut} does. */
    Mutation<Optional<V>> getAndPutInTurn(String key, V value, Expiry expiry) {
        return inTurn(key, before -> true, put(key, value, expiry));
    }

    /** Makes a mutation that does in its turn among the writes what {@link #getAndPutIfAbsent} does. */
    Mutation<Optional<V>> getAndPutIfAbsentInTurn(String key, V value, Expiry expiry) {
        return inTurn(key, before -> before == null, put(key, value, expiry));
    }

    private Effect put(String key, V value, Expiry expiry) {
        ExpiryRule rule = mutations.expiries().ofPut(expiry);
        return Effect.put(mutations.encode(key, value), rule);
    }

    /** Tests what was read, which is null if there is no value that can be read. */
    private interface ReadTest<V> {
        boolean holds(@Nullable V value);
    }

    /** Reads the value within the commit, so that nothing happens to one that cannot be read, and keeps it for the answer. */
    private Mutation<Optional<V>> inTurn(String key, ReadTest<V> wanted, Effect effect) {
        AtomicReference<@Nullable V> read = new AtomicReference<>();
        Condition condition = Condition.test(row -> {
            V value = value(row);
            read.set(value);
            return wanted.holds(value);
        });
        Request request = Request.of(new Operation(mutations.rowKey(key), condition, effect));
        return new Mutation<>(request, answer -> Optional.ofNullable(read.get()));
    }

    private @Nullable V value(@Nullable Row row) {
        return row == null ? null : values.decode(row);
    }

    private static <T> Attempt<Optional<T>> nothing() {
        return new Attempt<>(null, Optional.empty());
    }
}
