package dev.ttlstore;

import java.time.Duration;
import java.util.Objects;

import dev.ttlstore.commit.Expiry;
import dev.ttlstore.commit.Mutation;
import dev.ttlstore.commit.Mutations;

/** Makes mutations that add to a number. */
final class Increments {

    private static final Codec<Long> CODEC = Codec.longs();

    private final Writes<Long> writes;

    Increments(Writes<Long> writes) {
        this.writes = writes;
    }

    /** A mutation that answers the new number, encoded. */
    Mutation<byte[]> of(String key, long delta, Expiry onCreate) {
        return Mutations.merge(
                writes.rowKey(key),
                bytes -> CODEC.encode(sum(CODEC.decode(bytes), delta)),
                CODEC.encode(delta),
                onCreate);
    }

    /** What holds for a number that is created without a ttl. */
    Expiry standing() {
        return writes.standing();
    }

    static Expiry onCreate(Duration ttl) {
        return Expiry.after(Objects.requireNonNull(ttl, "'ttlOnCreate' must not be null"), "ttlOnCreate");
    }

    private static long sum(long number, long delta) {
        try {
            return Math.addExact(number, delta);
        } catch (ArithmeticException e) {
            // In the words of the API, and without the number.
            throw (ArithmeticException) new ArithmeticException(
                            "Adding 'delta' would take the counter beyond the range of long; it was left as it is")
                    .initCause(e);
        }
    }
}
