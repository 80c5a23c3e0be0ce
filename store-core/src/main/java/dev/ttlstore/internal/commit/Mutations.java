package dev.ttlstore.internal.commit;

import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

import org.jspecify.annotations.Nullable;

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
    public static Mutation<Long> put(RowKey key, byte[] value, Expiry expiry) {
        return one(key, draft -> draft.put(key, value, expiry));
    }

    /**
     * Puts values, all or none.
     *
     * @param values the rows and their encoded values
     * @param expiry the expiry of the entries
     * @return a mutation that returns how many values there are
     */
    public static Mutation<Long> putAll(Map<RowKey, byte[]> values, Expiry expiry) {
        return new Decision<>(values.keySet(), draft -> {
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
     * @return a mutation that returns whether the value was put
     */
    public static Mutation<Boolean> putIfAbsent(RowKey key, byte[] value, Expiry expiry) {
        return one(key, draft -> {
            if (draft.live(key) != null) {
                return false;
            }
            draft.put(key, value, expiry);
            return true;
        });
    }

    /**
     * Replaces a value, if the entry holds the expected one.
     *
     * @param key the row
     * @param expected the encoded value that the entry must hold
     * @param value the new encoded value
     * @param expiry the expiry of the entry
     * @return a mutation that returns whether the value was put
     */
    public static Mutation<Boolean> replace(RowKey key, byte[] expected, byte[] value, Expiry expiry) {
        return replace(key, holding(expected), value, expiry);
    }

    /**
     * Replaces a value, if the entry holds an expected one.
     *
     * @param key the row
     * @param expected tests the encoded value of the entry; it is a pure function, and may throw
     * @param value the new encoded value
     * @param expiry the expiry of the entry
     * @return a mutation that returns whether the value was put
     */
    public static Mutation<Boolean> replace(RowKey key, Predicate<byte[]> expected, byte[] value, Expiry expiry) {
        return replaceIf(key, live -> expected.test(live.value()), value, (draft, live) -> expiry);
    }

    /**
     * Replaces a value, unless the entry was put again since it was read.
     *
     * @param key the row
     * @param version the version that was read
     * @param value the new encoded value
     * @param expiry the expiry of the entry
     * @return a mutation that returns whether the value was put
     */
    public static Mutation<Boolean> replaceVersion(RowKey key, long version, byte[] value, Expiry expiry) {
        return replaceIf(key, is(version), value, (draft, live) -> expiry);
    }

    /**
     * Replaces a value and keeps the expiry, unless the entry was put again since it was read.
     *
     * @param key the row
     * @param version the version that was read
     * @param value the new encoded value
     * @return a mutation that returns whether the value was put
     */
    public static Mutation<Boolean> update(RowKey key, long version, byte[] value) {
        return replaceIf(key, is(version), value, Draft::expiryOf);
    }

    /**
     * Computes a new value from the current one and keeps the expiry. Puts an initial value if there is no live
     * entry.
     *
     * @param key the row
     * @param change from the current encoded value to the new one; it is a pure function, and may throw
     * @param initial the encoded value to put if there is no live entry
     * @param expiry the expiry of the initial value
     * @return a mutation that returns the encoded value that was put
     */
    public static Mutation<byte[]> merge(RowKey key, UnaryOperator<byte[]> change, byte[] initial, Expiry expiry) {
        return one(key, draft -> {
            Row live = draft.live(key);
            byte[] value = live == null ? initial : change.apply(live.value());
            draft.put(key, value, live == null ? expiry : draft.expiryOf(live));
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
        return deleteIf(key, live -> true);
    }

    /**
     * Deletes an entry if it holds the expected value.
     *
     * @param key the row
     * @param expected the encoded value that the entry must hold
     * @return a mutation that returns whether the entry was removed
     */
    public static Mutation<Boolean> delete(RowKey key, byte[] expected) {
        return delete(key, holding(expected));
    }

    /**
     * Deletes an entry if it holds an expected value.
     *
     * @param key the row
     * @param expected tests the encoded value of the entry; it is a pure function, and may throw
     * @return a mutation that returns whether the entry was removed
     */
    public static Mutation<Boolean> delete(RowKey key, Predicate<byte[]> expected) {
        return deleteIf(key, live -> expected.test(live.value()));
    }

    /**
     * Deletes an entry, unless it was put again since it was read.
     *
     * @param key the row
     * @param version the version that was read
     * @return a mutation that returns whether the entry was removed
     */
    public static Mutation<Boolean> deleteVersion(RowKey key, long version) {
        return deleteIf(key, is(version));
    }

    /**
     * Deletes an entry and returns its decoded value. The entry stays if the function returns empty.
     *
     * @param key the row
     * @param decode decodes the value, or returns empty; it is a pure function, and may throw
     * @return a mutation that returns the decoded value; empty if there was no live entry, or if the function
     *     returned empty
     * @param <V> the type of the decoded value
     */
    public static <V> Mutation<Optional<V>> take(RowKey key, Function<byte[], Optional<V>> decode) {
        return one(key, draft -> {
            Row live = draft.live(key);
            Optional<V> value = live == null ? Optional.empty() : decode.apply(live.value());
            if (live != null && value.isPresent()) {
                draft.delete(live);
            }
            return value;
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
     * Wraps a mutation so that it returns nothing.
     *
     * @param mutation the mutation to run
     * @return the wrapper
     */
    @SuppressWarnings("NullAway") // NullAway does not see that the decision may return null, too
    public static Mutation<@Nullable Void> silent(Mutation<?> mutation) {
        return new Decision<@Nullable Void>(mutation.keys(), draft -> {
            mutation.apply(draft);
            return null;
        });
    }

    /**
     * Deletes entries, except those that were put again since they were read.
     *
     * @param seen the rows as they were read
     * @return a mutation that returns how many were removed
     */
    public static Mutation<Long> deleteAll(List<Row> seen) {
        return all(seen, Draft::delete);
    }

    /**
     * Changes the expiry of a live entry, and keeps its value and version.
     *
     * @param key the row
     * @param expiry the expiry of the entry
     * @return a mutation that returns whether there was a live entry
     */
    public static Mutation<Boolean> reschedule(RowKey key, Expiry expiry) {
        return one(key, draft -> {
            Row live = draft.live(key);
            if (live == null) {
                return false;
            }
            draft.reschedule(live, expiry);
            return true;
        });
    }

    /**
     * Changes the expiry of live entries, except those that were put again since they were read.
     *
     * @param seen the rows as they were read
     * @param expiry the expiry of the entries
     * @return a mutation that returns how many entries were changed
     */
    public static Mutation<Long> rescheduleAll(List<Row> seen, Expiry expiry) {
        return all(seen, (draft, live) -> draft.reschedule(live, expiry));
    }

    private static Mutation<Boolean> replaceIf(
            RowKey key, Predicate<Row> condition, byte[] value, BiFunction<Draft, Row, Expiry> expiry) {
        return one(key, draft -> {
            Row live = draft.live(key);
            if (live == null || !condition.test(live)) {
                return false;
            }
            draft.put(key, value, expiry.apply(draft, live));
            return true;
        });
    }

    private static Mutation<Boolean> deleteIf(RowKey key, Predicate<Row> condition) {
        return one(key, draft -> {
            Row live = draft.live(key);
            if (live == null || !condition.test(live)) {
                return false;
            }
            draft.delete(live);
            return true;
        });
    }

    private static Predicate<byte[]> holding(byte[] expected) {
        return value -> Arrays.equals(value, expected);
    }

    private static Predicate<Row> is(long version) {
        return live -> live.version() == version;
    }

    /** A change of one of many rows. */
    private interface Step {
        void run(Draft draft, Row live);
    }

    private static Mutation<Long> all(List<Row> seen, Step step) {
        List<RowKey> keys = seen.stream().map(Row::key).toList();
        return new Decision<>(keys, draft -> {
            long changed = 0;
            for (Row row : seen) {
                Row live = draft.live(row.key());
                if (live != null && live.version() == row.version()) {
                    step.run(draft, live);
                    changed++;
                }
            }
            return changed;
        });
    }

    private static <R extends @Nullable Object> Mutation<R> one(RowKey key, Function<Draft, R> decision) {
        return new Decision<>(List.of(key), decision);
    }

    private record Decision<R extends @Nullable Object>(Collection<RowKey> keys, Function<Draft, R> decision)
            implements Mutation<R> {
        @Override
        public R apply(Draft draft) {
            return decision.apply(draft);
        }
    }
}
