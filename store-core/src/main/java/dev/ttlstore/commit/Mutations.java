package dev.ttlstore.commit;

import java.util.List;
import java.util.function.Function;

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
        return one(key, draft -> draft.put(key, value, expiry.from(draft.now())));
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
            draft.put(key, value, expiry.from(draft.now()));
            return true;
        });
    }

    /**
     * Deletes an entry.
     *
     * @param key the row
     * @return a mutation that answers whether there was a live one
     */
    public static Mutation<Boolean> delete(RowKey key) {
        return one(key, draft -> {
            Row live = draft.live(key);
            if (live == null) {
                return false;
            }
            draft.delete(live);
            return true;
        });
    }

    /**
     * Deletes an entry unless its value has been put anew since it was seen.
     *
     * @param key the row
     * @param version the version that was seen
     * @return a mutation that answers whether the entry was removed
     */
    public static Mutation<Boolean> deleteVersion(RowKey key, long version) {
        return one(key, draft -> {
            Row live = draft.live(key);
            if (live == null || live.version() != version) {
                return false;
            }
            draft.delete(live);
            return true;
        });
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
            draft.reschedule(live, expiry.from(draft.now()));
            return true;
        });
    }

    /**
     * Removes all entries of a group.
     *
     * @param group the full group name
     * @return a mutation that answers how many live entries went
     */
    public static Mutation<Long> clear(String group) {
        return setWide(draft -> draft.clear(group));
    }

    /**
     * Removes some of the entries that have expired, the oldest expiry first.
     *
     * @param until only those that had expired at this time, in milliseconds since the epoch
     * @param limit how many at most
     * @return a mutation that answers how many went
     */
    public static Mutation<Integer> purge(long until, int limit) {
        return setWide(draft -> draft.purge(until, limit));
    }

    /**
     * Changes nothing, but goes all the way to the engine and back.
     *
     * @return a mutation that saves the store's mark
     */
    public static Mutation<Boolean> touch() {
        return setWide(Draft::touch);
    }

    private static <R extends @Nullable Object> Mutation<R> one(RowKey key, Function<Draft, R> decision) {
        return new Decision<>(List.of(key), false, decision);
    }

    private static <R extends @Nullable Object> Mutation<R> setWide(Function<Draft, R> decision) {
        return new Decision<>(List.of(), true, decision);
    }

    private record Decision<R extends @Nullable Object>(
            List<RowKey> keys, boolean isSetWide, Function<Draft, R> decision) implements Mutation<R> {
        @Override
        public R apply(Draft draft) {
            return decision.apply(draft);
        }
    }
}
