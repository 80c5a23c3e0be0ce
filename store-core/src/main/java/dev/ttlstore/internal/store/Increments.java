package dev.ttlstore.internal.store;

import java.time.Duration;
import java.util.Objects;

import dev.ttlstore.Codec;
import dev.ttlstore.Expiry;
import dev.ttlstore.engine.Expected;
import dev.ttlstore.engine.Millis;
import dev.ttlstore.engine.RowKey;
import dev.ttlstore.internal.commit.ExpiryRule;
import dev.ttlstore.internal.commit.Mutation;
import dev.ttlstore.internal.commit.Mutations;

/** Makes the mutations that add to a number. */
final class Increments {

    private static final Codec<Long> CODEC = Codec.longs();

    private final GroupMutations<Long> mutations;

    Increments(GroupMutations<Long> mutations) {
        this.mutations = mutations;
    }

    /** Makes a mutation that answers the new number, as stored bytes. */
    Mutation<byte[]> of(String key, long delta, Expiry onCreate) {
        Objects.requireNonNull(onCreate, "'onCreate' must not be null");
        ExpiryRule rule = mutations.expiries().ofPut(onCreate);
        RowKey rowKey = mutations.rowKey(key);
        Expected adding = Expected.canAdd(delta) && !mutations.values().isSealed() ? Expected.adding(delta) : null;
        return Mutations.merge(
                rowKey, adding, stored -> stored(key, sum(number(key, stored), delta)), stored(key, delta), rule);
    }

    private byte[] stored(String key, long number) {
        return mutations.values().seal(key, CODEC.encode(number));
    }

    /** Converts a stored number. */
    long number(String key, byte[] stored) {
        return CODEC.decode(mutations.values().open(key, stored));
    }

    static Expiry onCreate(Duration ttl) {
        Objects.requireNonNull(ttl, "'ttlOnCreate' must not be null");
        long unused = Millis.ofTtl(ttl, "ttlOnCreate"); // names the caller's parameter if it is not valid
        return Expiry.after(ttl);
    }

    private static long sum(long number, long delta) {
        try {
            return Math.addExact(number, delta);
        } catch (ArithmeticException e) {
            // With the API's parameter name, and without the number.
            throw (ArithmeticException) new ArithmeticException(
                            "Adding 'delta' would take the counter beyond the range of long; it is unchanged")
                    .initCause(e);
        }
    }
}
