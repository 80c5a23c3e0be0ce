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
 * The writes of a group that answer with a value or compute one. A value that cannot be read counts as absent if the store's
 * policy says so.
 */
final class ComputedWrites<V> {

    private final GroupMutations<V> mutations;
    private final RowValues<V> values;

    /**
     * A write that is computed from an entry.
     *
     * @param <A> the type of the caller's answer
     */
    interface Write<A> {
        /** Computes it from the live row; null if there is none. */
        Attempt<A> from(@Nullable Row row);
    }

    /**
     * What a caller's code makes of an entry that was read.
     *
     * @param write applies only if the entry has not changed since; null if there is nothing to write
     * @param answer the caller's answer, if the write has applied
     */
    record Attempt<A>(@Nullable Operation write, A answer) {}

    /**
     * Creates the writes of a group.
     *
     * @param mutations makes the group's mutations
     */
    ComputedWrites(GroupMutations<V> mutations) {
        this.mutations = mutations;
        this.values = mutations.values();
    }

    /** Replaces the value by the result of a function, and keeps the expiry. */
    Write<Optional<V>> update(UnaryOperator<V> change) {
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
    Write<Optional<V>> updateOrDelete(Function<? super V, Optional<V>> change) {
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

    /** Tests what was read, which is null if there is no value that can be read. */
    private interface ReadTest<V> {
        boolean holds(@Nullable V value);
    }

    /** A write that answers with the value before, whether it applies or not. */
    final class Answering implements Write<Optional<V>> {
        private final RowKey key;
        private final ReadTest<V> wanted;
        private final Effect effect;

        private Answering(RowKey key, ReadTest<V> wanted, Effect effect) {
            this.key = key;
            this.wanted = wanted;
            this.effect = effect;
        }

        @Override
        public Attempt<Optional<V>> from(@Nullable Row row) {
            V value = value(row);
            return new Attempt<>(
                    wanted.holds(value) ? ifUnchanged(key, row, effect) : null, Optional.ofNullable(value));
        }

        /**
         * Decides in its turn among the writes: reads the value within the commit, so that nothing happens to one that cannot be read,
         * and keeps it for the answer.
         */
        Mutation<Optional<V>> inTurn() {
            AtomicReference<@Nullable V> read = new AtomicReference<>();
            Condition condition = Condition.test(row -> {
                V value = value(row);
                read.set(value);
                return wanted.holds(value);
            });
            Request request = Request.of(new Operation(key, condition, effect));
            return new Mutation<>(request, answer -> Optional.ofNullable(read.get()));
        }
    }

    /** Deletes the entry and answers with its value. */
    Answering take(String key) {
        return new Answering(mutations.rowKey(key), value -> value != null, Effect.DELETE);
    }

    /** Changes the expiry and answers with the value. */
    Answering getAndExpire(String key, Expiry expiry) {
        Effect effect = Effect.reschedule(mutations.expiries().of(expiry));
        return new Answering(mutations.rowKey(key), value -> value != null, effect);
    }

    /** Puts a value and answers with the one before. */
    Answering getAndPut(String key, V value, Expiry expiry) {
        return putting(key, before -> true, value, expiry);
    }

    /** Puts a value if there is none, and otherwise answers with the one that is there. */
    Answering getAndPutIfAbsent(String key, V value, Expiry expiry) {
        return putting(key, before -> before == null, value, expiry);
    }

    private Answering putting(String key, ReadTest<V> wanted, V value, Expiry expiry) {
        ExpiryRule rule = mutations.expiries().ofPut(expiry);
        return new Answering(mutations.rowKey(key), wanted, Effect.put(mutations.encode(key, value), rule));
    }

    /** Puts a value, if the row is still as it was read. */
    Operation put(RowKey key, @Nullable Row row, byte[] encoded, ExpiryRule rule) {
        return ifUnchanged(key, row, Effect.put(encoded, rule));
    }

    private static Operation ifUnchanged(RowKey key, @Nullable Row row, Effect effect) {
        return row == null ? new Operation(key, Condition.ABSENT, effect) : unchanged(row, effect);
    }

    /** Changes a row, if it is still as it was read. */
    private static Operation unchanged(Row row, Effect effect) {
        return new Operation(row.key(), Condition.version(row.version()), effect);
    }

    private @Nullable V value(@Nullable Row row) {
        return row == null ? null : values.decode(row);
    }

    private static <T> Attempt<Optional<T>> nothing() {
        return new Attempt<>(null, Optional.empty());
    }
}
