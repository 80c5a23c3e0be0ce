package dev.ttlstore.internal.store;

import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.Entry;
import dev.ttlstore.Expiry;
import dev.ttlstore.engine.Condition;
import dev.ttlstore.engine.Effect;
import dev.ttlstore.engine.ExpiryRule;
import dev.ttlstore.engine.Operation;
import dev.ttlstore.engine.Outcome;
import dev.ttlstore.engine.Reads;
import dev.ttlstore.engine.Request;
import dev.ttlstore.engine.Row;
import dev.ttlstore.engine.RowKey;
import dev.ttlstore.internal.access.Mutation;
import dev.ttlstore.internal.access.RowAccess;
import dev.ttlstore.internal.value.RowValues;

/**
 * The writes of a group that answer with a value or compute one. They run the caller's code between a read and a write: codecs,
 * loaders, changes. Each reads the entry, runs the code without blocking other writers, writes only if the entry has not changed
 * meanwhile, and otherwise starts again. A value that cannot be read counts as absent if the store's policy says so.
 *
 * @param <V> the type of the values
 */
final class ComputedWrites<V> {

    private final RowAccess access;
    private final GroupMutations<V> mutations;
    private final RowValues<V> values;

    /** Reads what a caller wants of a row; null if the row counts as absent. */
    interface RowDecoder<T> {
        @Nullable
        T of(Row row);
    }

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
     * @param access reaches the rows
     * @param mutations makes the group's mutations
     */
    ComputedWrites(RowAccess access, GroupMutations<V> mutations) {
        this.access = access;
        this.mutations = mutations;
        this.values = mutations.values();
    }

    /** Replaces the value by the result of a function, and keeps the expiry. */
    Write<Optional<V>> update(UnaryOperator<V> change) {
        Objects.requireNonNull(change, "'change' must not be null");
        return updateOrDelete(value -> Optional.of(Objects.requireNonNull(
                change.apply(value),
                "'change' must not return null; to be able to remove the entry use updateOrDelete(…)")));
    }

    /** Replaces the value by the result of a function, and keeps the expiry, or deletes the entry. */
    Write<Optional<V>> updateOrDelete(Function<? super V, Optional<V>> change) {
        Objects.requireNonNull(change, "'change' must not be null");
        return row -> {
            V value = value(row);
            if (row == null || value == null) {
                return new Attempt<>(null, Optional.empty());
            }
            Optional<V> changed = Objects.requireNonNull(
                    change.apply(value), "'change' must not return null; to remove the entry return empty");
            Effect effect = changed.map(
                            next -> Effect.put(mutations.encode(row.key().key(), next), ExpiryRule.KEEP))
                    .orElse(Effect.DELETE);
            return new Attempt<>(unchanged(row, effect), changed);
        };
    }

    /** When a write is made that answers with what was there. */
    private enum Wanted {
        ALWAYS,
        /** If there is a value that can be read. */
        IF_FOUND,
        /** If there is none. */
        IF_ABSENT;

        boolean holds(boolean found) {
            return this == ALWAYS || (this == IF_FOUND) == found;
        }
    }

    /** A write that answers with what was there, whether it applies or not. */
    final class Answering<A> implements Write<Optional<A>> {
        private final RowKey key;
        private final Wanted wanted;
        private final Effect effect;
        private final RowDecoder<A> reading;

        private Answering(RowKey key, Wanted wanted, Effect effect, RowDecoder<A> reading) {
            this.key = key;
            this.wanted = wanted;
            this.effect = effect;
            this.reading = reading;
        }

        @Override
        public Attempt<Optional<A>> from(@Nullable Row row) {
            A answer = answer(row);
            return new Attempt<>(
                    wanted.holds(answer != null) ? ifUnchanged(key, row, effect) : null, Optional.ofNullable(answer));
        }

        /** Reads the answer from a row; null if there is none, or its value cannot be read. */
        @Nullable
        A answer(@Nullable Row row) {
            return row == null ? null : reading.of(row);
        }

        /** Decides by what an engine can tell of the row, and answers with the row; null if no engine can. */
        @Nullable
        Operation returning() {
            Condition condition = wanted == Wanted.IF_FOUND
                    ? values.readable()
                    : wanted == Wanted.IF_ABSENT ? Condition.ABSENT : null;
            return condition == null ? null : new Operation(key, condition, effect, true);
        }

        /** Decides in its turn among the writes. */
        Mutation<Optional<A>> inTurn() {
            Operation told = wanted == Wanted.IF_FOUND ? returning() : null;
            return told == null
                    ? tested()
                    : new Mutation<>(
                            told,
                            answer -> Optional.ofNullable(answer(answer.only().row())));
        }

        /** Reads the value within the commit, so that nothing happens to one that cannot be read, and keeps it for the answer. */
        private Mutation<Optional<A>> tested() {
            AtomicReference<@Nullable A> read = new AtomicReference<>();
            Condition condition = Condition.test(row -> {
                A answer = answer(row);
                read.set(answer);
                return wanted.holds(answer != null);
            });
            Request request = Request.of(new Operation(key, condition, effect));
            return new Mutation<>(request, answer -> Optional.ofNullable(read.get()));
        }
    }

    /** Deletes the entry and answers with its value. */
    Answering<V> take(String key) {
        return new Answering<>(mutations.rowKey(key), Wanted.IF_FOUND, Effect.DELETE, values::decode);
    }

    /** Deletes the entry and answers with it. */
    Answering<Entry<V>> takeEntry(String key) {
        return new Answering<>(
                mutations.rowKey(key), Wanted.IF_FOUND, Effect.DELETE, row -> values.entry(row, access.now()));
    }

    /** Changes the expiry and answers with the value. */
    Answering<V> getAndExpire(String key, Expiry expiry) {
        Effect effect = Effect.reschedule(mutations.rule(expiry));
        return new Answering<>(mutations.rowKey(key), Wanted.IF_FOUND, effect, values::decode);
    }

    /** Puts a value and answers with the one before. */
    Answering<V> getAndPut(String key, V value, Expiry expiry) {
        return putting(key, Wanted.ALWAYS, value, expiry);
    }

    /** Puts a value if there is none, and otherwise answers with the one that is there. */
    Answering<V> getAndPutIfAbsent(String key, V value, Expiry expiry) {
        return putting(key, Wanted.IF_ABSENT, value, expiry);
    }

    private Answering<V> putting(String key, Wanted wanted, V value, Expiry expiry) {
        ExpiryRule rule = mutations.ruleOfPut(expiry);
        Effect effect = Effect.put(mutations.encode(key, value), rule);
        return new Answering<>(mutations.rowKey(key), wanted, effect, values::decode);
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

    /** Runs a write of an entry. */
    <A> A run(String key, Write<A> write) {
        RowKey rowKey = mutations.rowKey(key);
        while (true) {
            Row row = access.reads().get(rowKey, Reads.NOW);
            Attempt<A> attempt = write.from(row);
            if (attempt.write() == null || applies(attempt.write())) {
                return attempt.answer();
            }
        }
    }

    private boolean applies(Operation write) {
        return access.submit(Request.of(write)).isApplied();
    }

    /**
     * Runs a write that answers with what was there. Where a read takes as long as a write, it does without one, if the engine can tell
     * whether the write is wanted.
     */
    <A> Optional<A> answer(String key, Answering<A> write) {
        Operation returning = access.kind() == RowAccess.Kind.SHARED ? write.returning() : null;
        if (returning == null) {
            return run(key, write);
        }
        Outcome outcome = access.submit(Request.of(returning)).only();
        Row found = outcome.row();
        if (found == null) {
            return Optional.empty();
        }
        A answer = write.answer(found);
        return answer != null || outcome.applied()
                ? Optional.ofNullable(answer)
                : run(key, write); // it was left as it is
    }

    /** Loads and puts a value if there is none. Of several callers that find none at the same time, one loads. */
    V getOrLoad(String key, Expiry expiry, Supplier<Optional<V>> read, Supplier<? extends V> loader) {
        ExpiryRule rule = mutations.ruleOfPut(expiry);
        RowKey rowKey = mutations.rowKey(key);
        while (true) {
            V value = read.get().orElse(null);
            if (value == null) {
                value = access.loads().runOrWait(rowKey, () -> load(rowKey, rule, loader), access::requireUsable);
            }
            if (value != null) {
                return value;
            }
        }
    }

    /** Loads and puts a value, unless there is one by now. Returns null if another value was put meanwhile. */
    private @Nullable V load(RowKey key, ExpiryRule rule, Supplier<? extends V> loader) {
        Row row = access.reads().get(key, Reads.NOW);
        V present = value(row);
        if (present != null) {
            return present;
        }
        V loaded = Objects.requireNonNull(loader.get(), "'loader' must not return null");
        // A row without a value has a value that cannot be read. It counts as absent.
        byte[] encoded = mutations.encode(key.key(), loaded);
        return applies(ifUnchanged(key, row, Effect.put(encoded, rule))) ? loaded : null;
    }

    /** Puts a value under a new, unguessable key. */
    String add(V value, Expiry expiry) {
        while (true) {
            String key = GroupMutations.freshKey();
            Mutation<OptionalLong> put = mutations.putIfAbsent(key, value, expiry);
            if (put.on(access).isPresent()) {
                return key;
            }
        }
    }
}
