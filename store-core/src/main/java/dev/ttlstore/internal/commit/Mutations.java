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

/** All decisions that a store makes, each a small pure function that means the same on every engine. */
public final class Mutations {

    private Mutations() {}

    /**
     * Puts a value, whatever stands there.
     *
     * @param key the row
     * @param value the encoded value
     * @param expiry when it shall expire
     * @return a mutation that answers the new version
     */
    public static Mutation<Long> put(RowKey key, byte[] value, Expiry expiry) {
        return one(key, draft -> draft.put(key, value, expiry));
    }

    /**
     * Puts values, all or none.
     *
     * @param values the rows and their encoded values
     * @param expiry when they shall expire
     * @return a mutation that answers how many there are
     */
    public static Mutation<Long> putAll(Map<RowKey, byte[]> values, Expiry expiry) {
        return new Decision<>(values.keySet(), draft -> {
            values.forEach((key, value) -> draft.put(key, value, expiry));
            return (long) values.size();
        });
    }

    /**
     * Puts a value where no live entry stands.
     *
     * @param key the row
     * @param value the encoded value
     * @param expiry when it shall expire
     * @return a mutation that answers whether the value was put
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
     * Puts a value in the place of another.
     *
     * @param key the row
     * @param expected the encoded value that must stand there
     * @param value the encoded value
     * @param expiry when it shall expire
     * @return a mutation that answers whether the value was put
     */
    public static Mutation<Boolean> replace(RowKey key, byte[] expected, byte[] value, Expiry expiry) {
        return replace(key, holding(expected), value, expiry);
    }

    /**
     * Puts a value in the place of another.
     *
     * @param key the row
     * @param expected whether the encoded value that stands there is the one; it is a pure function, and may throw
     * @param value the encoded value
     * @param expiry when it shall expire
     * @return a mutation that answers whether the value was put
     */
    public static Mutation<Boolean> replace(RowKey key, Predicate<byte[]> expected, byte[] value, Expiry expiry) {
        return replaceIf(key, live -> expected.test(live.value()), value, (draft, live) -> expiry);
    }

    /**
     * Puts a value unless another was put since the entry was seen.
     *
     * @param key the row
     * @param version the version that was seen
     * @param value the encoded value
     * @param expiry when it shall expire
     * @return a mutation that answers whether the value was put
     */
    public static Mutation<Boolean> replaceVersion(RowKey key, long version, byte[] value, Expiry expiry) {
        return replaceIf(key, is(version), value, (draft, live) -> expiry);
    }

    /**
     * Puts a value unless another was put since the entry was seen; the expiry that stands stays.
     *
     * @param key the row
     * @param version the version that was seen
     * @param value the encoded value
     * @return a mutation that answers whether the value was put
     */
    public static Mutation<Boolean> update(RowKey key, long version, byte[] value) {
        return replaceIf(key, is(version), value, Draft::expiryOf);
    }

    /**
     * Makes one value of another; the expiry that stands stays.
     *
     * @param key the row
     * @param change from the encoded value that stands to the one to put; it is a pure function, and may throw
     * @param initial the encoded value to put where no live entry stands
     * @param expiry when that shall expire
     * @return a mutation that answers the encoded value that was put
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
     * @return a mutation that answers whether there was a live one
     */
    public static Mutation<Boolean> delete(RowKey key) {
        return deleteIf(key, live -> true);
    }

    /**
     * Deletes an entry if it holds a value.
     *
     * @param key the row
     * @param expected the encoded value that must stand there
     * @return a mutation that answers whether the entry was removed
     */
    public static Mutation<Boolean> delete(RowKey key, byte[] expected) {
        return delete(key, holding(expected));
    }

    /**
     * Deletes an entry if it holds a value.
     *
     * @param key the row
     * @param expected whether the encoded value that stands there is the one; it is a pure function, and may throw
     * @return a mutation that answers whether the entry was removed
     */
    public static Mutation<Boolean> delete(RowKey key, Predicate<byte[]> expected) {
        return deleteIf(key, live -> expected.test(live.value()));
    }

    /**
     * Deletes an entry unless its value has been put anew since it was seen.
     *
     * @param key the row
     * @param version the version that was seen
     * @return a mutation that answers whether the entry was removed
     */
    public static Mutation<Boolean> deleteVersion(RowKey key, long version) {
        return deleteIf(key, is(version));
    }

    /**
     * Deletes an entry and answers what its value means.
     *
     * @param key the row
     * @param decode makes something of the encoded value, or nothing, and then the entry stays; it is a pure function, and
     *     may throw
     * @return a mutation that answers what was made; empty if there was no live entry, or nothing was made of it
     * @param <V> the type of what is made
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
     * Reads an entry in its turn among the writes.
     *
     * @param key the row
     * @return a mutation that answers the live row, if there is one
     */
    public static Mutation<Optional<Row>> read(RowKey key) {
        return one(key, draft -> Optional.ofNullable(draft.live(key)));
    }

    /**
     * Makes a mutation that answers nothing.
     *
     * @param mutation what to do
     * @return the mutation that does it
     */
    @SuppressWarnings("NullAway") // it does not see that the decision, too, may answer null
    public static Mutation<@Nullable Void> silent(Mutation<?> mutation) {
        return new Decision<@Nullable Void>(mutation.keys(), draft -> {
            mutation.apply(draft);
            return null;
        });
    }

    /**
     * Deletes entries, except those whose values have been put anew since they were seen.
     *
     * @param seen the rows as they were seen
     * @return a mutation that answers how many were removed
     */
    public static Mutation<Long> deleteAll(List<Row> seen) {
        return all(seen, Draft::delete);
    }

    /**
     * Gives a live entry another expiry; its value and version stay.
     *
     * @param key the row
     * @param expiry when it shall expire
     * @return a mutation that answers whether there was a live entry
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
     * Gives live entries another expiry, except those whose values have been put anew since they were seen.
     *
     * @param seen the rows as they were seen
     * @param expiry when they shall expire
     * @return a mutation that answers how many it was given to
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

    /** What is done to each of many rows. */
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
