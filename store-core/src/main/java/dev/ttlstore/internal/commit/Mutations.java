package dev.ttlstore.internal.commit;

import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.StoredEntries;
import dev.ttlstore.engine.Expected;
import dev.ttlstore.engine.Row;
import dev.ttlstore.engine.RowKey;

/** All decisions of a store. Each is a small pure function with the same meaning on every engine. */
public final class Mutations {

    private Mutations() {}

    /**
     * Puts a value, whether or not there is a live entry.
     *
     * @param key the row
     * @param value the encoded value
     * @param expiry the expiry of the entry
     * @return a mutation that returns the new version
     */
    public static Mutation<Long> put(RowKey key, byte[] value, ExpiryRule expiry) {
        Premise premise = expiry instanceof ExpiryTime ? new Premise.Overwriting(key) : null;
        return new Decision<>(List.of(key), premise, value.length, draft -> draft.put(key, value, expiry));
    }

    /**
     * Puts values, all or none.
     *
     * @param values the rows and their encoded values
     * @param expiry the expiry of the entries
     * @return a mutation that returns how many values there are
     */
    public static Mutation<Long> putAll(Map<RowKey, byte[]> values, ExpiryRule expiry) {
        long bytes = values.values().stream().mapToLong(value -> value.length).sum();
        return new Decision<>(values.keySet(), null, bytes, draft -> {
            values.forEach((key, value) -> draft.put(key, value, expiry));
            return (long) values.size();
        });
    }

    /**
     * Puts a value if there is no live entry.
     *
     * @param key the row
     * @param value the encoded value
     * @param expiry the expiry of the entry
     * @return a mutation that returns the new version; empty if there is a live entry
     */
    public static Mutation<OptionalLong> putIfAbsent(RowKey key, byte[] value, ExpiryRule expiry) {
        return new Decision<>(
                List.of(key),
                null,
                value.length,
                draft -> draft.live(key) == null
                        ? OptionalLong.of(draft.put(key, value, expiry))
                        : OptionalLong.empty());
    }

    /**
     * Replaces a value, if there is a live entry.
     *
     * @param key the row
     * @param value the new encoded value
     * @param expiry the expiry of the entry
     * @return a mutation that returns the new version; empty if there is no live entry
     */
    public static Mutation<OptionalLong> putIfPresent(RowKey key, byte[] value, ExpiryRule expiry) {
        return replaceIf(key, Expected.anything(), live -> true, value.length, value, expiry);
    }

    /**
     * Replaces a value, if the entry holds an expected one.
     *
     * @param key the row
     * @param expected tests the encoded value of the entry; it is a pure function, and may throw
     * @param only the only encoded value that passes the test; null if others may
     * @param value the new encoded value
     * @param expiry the expiry of the entry
     * @return a mutation that returns the new version; empty if the entry does not hold the expected value
     */
    public static Mutation<OptionalLong> replace(
            RowKey key, Predicate<byte[]> expected, byte @Nullable [] only, byte[] value, ExpiryRule expiry) {
        return replaceIf(
                key, holding(only), live -> expected.test(live.value()), value.length + length(only), value, expiry);
    }

    /**
     * Replaces a value, unless the entry was put again since it was read.
     *
     * @param key the row
     * @param version the version that was read
     * @param value the new encoded value
     * @param expiry the expiry of the entry
     * @return a mutation that returns the new version; empty if the entry has another one
     */
    public static Mutation<OptionalLong> replaceVersion(RowKey key, long version, byte[] value, ExpiryRule expiry) {
        return replaceIf(key, Expected.ofVersion(version), is(version), value.length, value, expiry);
    }

    /**
     * Computes a new value from the current one and keeps the expiry. Puts an initial value if there is no live
     * entry.
     *
     * @param key the row
     * @param expected tells engines what {@code change} adds; null if only {@code change} can tell
     * @param change from the current encoded value to the new one; it is a pure function, and may throw
     * @param initial the encoded value to put if there is no live entry
     * @param expiry the expiry of the initial value
     * @return a mutation that returns the encoded value that was put
     */
    public static Mutation<byte[]> merge(
            RowKey key, @Nullable Expected expected, UnaryOperator<byte[]> change, byte[] initial, ExpiryRule expiry) {
        return expecting(key, expected, initial.length, draft -> {
            Row live = draft.live(key);
            byte[] value = live == null ? initial : change.apply(live.value());
            draft.put(key, value, live == null ? expiry : ExpiryRule.KEEP);
            return value;
        });
    }

    /**
     * Deletes an entry.
     *
     * @param key the row
     * @return a mutation that returns whether there was a live entry
     */
    public static Mutation<Boolean> delete(RowKey key) {
        return changeIf(key, Expected.anything(), live -> true, 0, Draft::delete);
    }

    /**
     * Deletes an entry if it holds an expected value.
     *
     * @param key the row
     * @param expected tests the encoded value of the entry; it is a pure function, and may throw
     * @param only the only encoded value that passes the test; null if others may
     * @return a mutation that returns whether the entry was removed
     */
    public static Mutation<Boolean> delete(RowKey key, Predicate<byte[]> expected, byte @Nullable [] only) {
        return changeIf(key, holding(only), live -> expected.test(live.value()), length(only), Draft::delete);
    }

    /**
     * Deletes an entry, unless it was put again since it was read.
     *
     * @param key the row
     * @param version the version that was read
     * @return a mutation that returns whether the entry was removed
     */
    public static Mutation<Boolean> deleteVersion(RowKey key, long version) {
        return changeIf(key, Expected.ofVersion(version), is(version), 0, Draft::delete);
    }

    /**
     * Deletes an entry, unless its caller cannot read it.
     *
     * @param key the row
     * @param readable the form of the values that the caller can read
     * @return a mutation that returns the live row, which it has removed if its value has that form
     */
    public static Mutation<Optional<Row>> take(RowKey key, Expected.Form readable) {
        return answering(key, Expected.answering(readable), readable, Draft::delete);
    }

    /**
     * Changes the expiry of a live entry, unless its caller cannot read it.
     *
     * @param key the row
     * @param readable the form of the values that the caller can read
     * @param expiry the expiry of the entry
     * @return a mutation that returns the live row, whose expiry it has changed if its value has that form
     */
    public static Mutation<Optional<Row>> touch(RowKey key, Expected.Form readable, ExpiryRule expiry) {
        return answering(key, unlessItLooks(expiry, Expected.answering(readable)), readable, rescheduling(expiry));
    }

    /**
     * Runs a caller's decision within the commit, so that its write always applies.
     *
     * @param key the row
     * @param bytes how much memory the values take that the decision holds
     * @param decision decides from the live row, which is null if there is none; it is a pure function, and may throw
     * @return a mutation that returns the caller's answer
     * @param <A> the type of the answer
     */
    public static <A> Mutation<A> decide(RowKey key, long bytes, Function<@Nullable Row, Attempt<A>> decision) {
        return new Decision<>(List.of(key), null, bytes, draft -> {
            Attempt<A> attempt = decision.apply(draft.live(key));
            if (attempt.write() != null) {
                boolean unused = attempt.write().apply(draft);
            }
            return attempt.answer();
        });
    }

    /**
     * Reads an entry, in its turn among the writes.
     *
     * @param key the row
     * @return a mutation that returns the live row, if there is one
     */
    public static Mutation<Optional<Row>> read(RowKey key) {
        return one(key, draft -> Optional.ofNullable(draft.live(key)));
    }

    /**
     * Changes nothing. It is committed after the writes that were queued before it.
     *
     * @return a mutation that returns true
     */
    public static Mutation<Boolean> nothing() {
        return new Decision<>(List.of(), draft -> true);
    }

    /**
     * Supposes that the only row of a mutation is as its caller has read it.
     *
     * @param mutation the mutation; it decides by the row that it finds, whatever the caller has read
     * @param key the name of the row
     * @param row the live row that was read; null if there was none
     * @return the mutation with this premise
     * @param <R> the type of the answer
     */
    public static <R extends @Nullable Object> Mutation<R> supposing(
            Mutation<R> mutation, RowKey key, @Nullable Row row) {
        return new Decision<>(mutation.keys(), new Premise.AsRead(key, row), mutation.bytes(), mutation::apply);
    }

    /**
     * Converts the answer of a mutation.
     *
     * @param mutation the mutation to run
     * @param conversion from its answer to the caller's
     * @return the wrapper
     * @param <A> the type of the mutation's answer
     * @param <R> the type of the caller's answer
     */
    public static <A, R extends @Nullable Object> Mutation<R> map(
            Mutation<A> mutation, Function<? super A, ? extends R> conversion) {
        return new Decision<>(
                mutation.keys(),
                mutation.premise(),
                mutation.bytes(),
                draft -> conversion.apply(mutation.apply(draft)));
    }

    /**
     * Something that must hold of an entry.
     *
     * @param key the row
     * @param test tests the live row, which is null if there is none; it is a pure function
     */
    public record Condition(RowKey key, Predicate<@Nullable Row> test) {}

    /**
     * Runs mutations one after another, if all conditions hold before the first.
     *
     * @param conditions the conditions
     * @param writes the mutations
     * @return a mutation that returns whether the conditions held
     */
    public static Mutation<Boolean> together(List<Condition> conditions, List<Mutation<?>> writes) {
        if (conditions.isEmpty() && writes.size() == 1) {
            return map(writes.get(0), answer -> true); // keeps its premise
        }
        Set<RowKey> keys = new LinkedHashSet<>();
        conditions.forEach(condition -> keys.add(condition.key()));
        writes.forEach(write -> keys.addAll(write.keys()));
        return new Decision<>(keys, null, bytes(writes), draft -> {
            for (Condition condition : conditions) {
                if (!condition.test().test(draft.live(condition.key()))) {
                    return false;
                }
            }
            for (Mutation<?> write : writes) {
                Object unused = write.apply(draft);
            }
            return true;
        });
    }

    /**
     * Puts an entry that has existed elsewhere, unless it is as it should be.
     *
     * @param row the entry, whose version does not count
     * @param replace whether another live entry is replaced
     * @return a mutation that returns what became of the entry
     */
    public static Mutation<StoredEntries.Outcome> restore(Row row, boolean replace) {
        return new Decision<>(List.of(row.key()), null, row.value().length, draft -> {
            Row wanted = new Row(
                    row.key(),
                    row.value(),
                    row.version(),
                    Math.min(row.createdAt(), draft.now()),
                    Math.min(row.updatedAt(), draft.now()),
                    row.expiresAt());
            if (!wanted.isLiveAt(draft.now())) {
                return StoredEntries.Outcome.EXPIRED;
            }
            Row live = draft.live(row.key());
            if (live != null && isCopy(live, wanted)) {
                return StoredEntries.Outcome.UNCHANGED;
            }
            if (live != null && !replace) {
                return StoredEntries.Outcome.KEPT;
            }
            draft.restore(wanted);
            return live == null ? StoredEntries.Outcome.CREATED : StoredEntries.Outcome.REPLACED;
        });
    }

    private static boolean isCopy(Row live, Row other) {
        return live.createdAt() == other.createdAt()
                && live.updatedAt() == other.updatedAt()
                && live.expiresAt() == other.expiresAt()
                && live.hasValueOf(other);
    }

    /**
     * Runs mutations one after another.
     *
     * @param mutations the mutations
     * @return a mutation that returns their answers, in their order
     * @param <R> the type of an answer
     */
    public static <R> Mutation<List<R>> each(List<Mutation<R>> mutations) {
        Set<RowKey> keys = new LinkedHashSet<>();
        mutations.forEach(mutation -> keys.addAll(mutation.keys()));
        return new Decision<>(keys, null, bytes(mutations), draft -> mutations.stream()
                .map(mutation -> mutation.apply(draft))
                .toList());
    }

    /**
     * Deletes entries, whatever they hold.
     *
     * @param keys the rows
     * @return a mutation that returns how many were removed
     */
    public static Mutation<Long> deleteAll(Set<RowKey> keys) {
        return all(keys, live -> true, Draft::delete);
    }

    /**
     * Deletes entries that have reached an age.
     *
     * @param keys the rows
     * @param latest the latest creation of an entry to delete, in milliseconds since the epoch
     * @return a mutation that returns how many were removed
     */
    public static Mutation<Long> deleteOld(Set<RowKey> keys, long latest) {
        return all(keys, live -> live.createdAt() <= latest, Draft::delete);
    }

    /**
     * Changes the expiry of a live entry, and keeps its value and version.
     *
     * @param key the row
     * @param expiry the expiry of the entry
     * @return a mutation that returns whether there was a live entry
     */
    public static Mutation<Boolean> reschedule(RowKey key, ExpiryRule expiry) {
        return changeIf(key, unlessItLooks(expiry, Expected.anything()), live -> true, 0, rescheduling(expiry));
    }

    /**
     * Changes the expiry of an entry, unless it was put again since it was read.
     *
     * @param key the row
     * @param version the version that was read
     * @param expiry the expiry of the entry
     * @return a mutation that returns whether the entry still has that version
     */
    public static Mutation<Boolean> rescheduleVersion(RowKey key, long version, ExpiryRule expiry) {
        return changeIf(key, unlessItLooks(expiry, Expected.ofVersion(version)), is(version), 0, rescheduling(expiry));
    }

    /**
     * Changes the expiry of live entries, whatever they hold.
     *
     * @param keys the rows
     * @param expiry the expiry of the entries
     * @return a mutation that returns how many entries were changed
     */
    public static Mutation<Long> rescheduleAll(Set<RowKey> keys, ExpiryRule expiry) {
        return all(keys, live -> true, rescheduling(expiry));
    }

    /**
     * Gives entries that were written by a clock that was ahead the times that they should have.
     *
     * @param keys the rows
     * @return a mutation that returns how many entries were changed
     */
    public static Mutation<Long> mendAll(Set<RowKey> keys) {
        return new Decision<>(keys, draft -> {
            long mended = 0;
            for (RowKey key : keys) {
                mended += draft.mend(key) ? 1 : 0;
            }
            return mended;
        });
    }

    private static Mutation<OptionalLong> replaceIf(
            RowKey key,
            @Nullable Expected expected,
            Predicate<Row> condition,
            long bytes,
            byte[] value,
            ExpiryRule expiry) {
        return expecting(key, unlessItLooks(expiry, expected), bytes, draft -> {
            Row live = draft.live(key);
            return live == null || !condition.test(live)
                    ? OptionalLong.empty()
                    : OptionalLong.of(draft.put(key, value, expiry));
        });
    }

    private static Mutation<Boolean> changeIf(
            RowKey key, @Nullable Expected expected, Predicate<Row> condition, long bytes, Step step) {
        return expecting(key, expected, bytes, draft -> {
            Row live = draft.live(key);
            if (live == null || !condition.test(live)) {
                return false;
            }
            step.run(draft, live);
            return true;
        });
    }

    private static Mutation<Optional<Row>> answering(
            RowKey key, @Nullable Expected expected, Expected.Form readable, Step step) {
        return expecting(key, expected, draft -> {
            Row live = draft.live(key);
            if (live != null && readable.matches(live.value())) {
                step.run(draft, live);
            }
            return Optional.ofNullable(live);
        });
    }

    private static int length(byte @Nullable [] only) {
        return only == null ? 0 : only.length;
    }

    private static @Nullable Expected holding(byte @Nullable [] only) {
        return only == null ? null : Expected.holding(only);
    }

    /** A rule that looks at the entry needs the true one. */
    private static @Nullable Expected unlessItLooks(ExpiryRule expiry, @Nullable Expected expected) {
        return expiry instanceof ExpiryTime ? expected : null;
    }

    private static Predicate<Row> is(long version) {
        return live -> live.version() == version;
    }

    private static Step rescheduling(ExpiryRule expiry) {
        return (draft, live) -> draft.reschedule(live, expiry);
    }

    /** A change of a live row. */
    private interface Step {
        void run(Draft draft, Row live);
    }

    private static Mutation<Long> all(Set<RowKey> keys, Predicate<Row> condition, Step step) {
        return new Decision<>(keys, draft -> {
            long changed = 0;
            for (RowKey key : keys) {
                Row live = draft.live(key);
                if (live != null && condition.test(live)) {
                    step.run(draft, live);
                    changed++;
                }
            }
            return changed;
        });
    }

    private static long bytes(Collection<? extends Mutation<?>> mutations) {
        return mutations.stream().mapToLong(Mutation::bytes).sum();
    }

    private static <R extends @Nullable Object> Mutation<R> expecting(
            RowKey key, @Nullable Expected expected, Function<Draft, R> decision) {
        return expecting(key, expected, 0, decision);
    }

    private static <R extends @Nullable Object> Mutation<R> expecting(
            RowKey key, @Nullable Expected expected, long bytes, Function<Draft, R> decision) {
        Premise premise = expected == null ? null : new Premise.Expecting(key, expected);
        return new Decision<>(List.of(key), premise, bytes, decision);
    }

    private static <R extends @Nullable Object> Mutation<R> one(RowKey key, Function<Draft, R> decision) {
        return new Decision<>(List.of(key), decision);
    }

    private record Decision<R extends @Nullable Object>(
            Collection<RowKey> keys, @Nullable Premise premise, long bytes, Function<Draft, R> decision)
            implements Mutation<R> {

        private Decision(Collection<RowKey> keys, Function<Draft, R> decision) {
            this(keys, null, 0, decision);
        }

        @Override
        public R apply(Draft draft) {
            return decision.apply(draft);
        }
    }
}
