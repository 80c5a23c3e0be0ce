package dev.ttlstore.internal.store;

import java.time.Duration;
import java.util.Objects;

import dev.ttlstore.Codec;
import dev.ttlstore.engine.RowKey;
import dev.ttlstore.internal.commit.Expiry;
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
        RowKey rowKey = mutations.rowKey(key);
        return Mutations.merge(
                rowKey, stored -> stored(key, sum(number(key, stored), delta)), stored(key, delta), onCreate);
    }

    private byte[] stored(String key, long number) {
        return mutations.values().seal(key, CODEC.encode(number));
    }

    /** Converts a stored number. */
    long number(String key, byte[] stored) {
        return CODEC.decode(mutations.values().open(key, stored));
    }

    /** Returns the expiry of a number that is created without a ttl. */
    Expiry standing() {
        return mutations.standing();
    }

    static Expiry onCreate(Duration ttl) {
        return Expiry.after(Objects.requireNonNull(ttl, "'ttlOnCreate' must not be null"), "ttlOnCreate");
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
