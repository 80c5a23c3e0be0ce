package dev.ttlstore.internal.store;

import java.time.Duration;
import java.util.Objects;

import dev.ttlstore.Codec;
import dev.ttlstore.Expiry;
import dev.ttlstore.engine.Condition;
import dev.ttlstore.engine.Effect;
import dev.ttlstore.engine.ExpiryRule;
import dev.ttlstore.engine.Millis;
import dev.ttlstore.engine.Operation;
import dev.ttlstore.engine.RowKey;
import dev.ttlstore.engine.StoredNumbers;
import dev.ttlstore.internal.access.Mutation;

/** Makes the mutations that add to a number. */
record Increments(GroupMutations<Long> mutations) {

    private static final Codec<Long> CODEC = Codec.longs();

    /** Makes a mutation that answers with the new number. */
    Mutation<Long> of(String key, long delta, Expiry onCreate) {
        Objects.requireNonNull(onCreate, "'onCreate' must not be null");
        ExpiryRule rule = mutations.expiries().ofPut(onCreate);
        RowKey rowKey = mutations.rowKey(key);
        return new Mutation<>(
                new Operation(rowKey, Condition.ALWAYS, effect(key, delta, rule)),
                answer ->
                        number(key, Objects.requireNonNull(answer.only().row()).value()));
    }

    /** Only code can add to a sealed number. */
    private Effect effect(String key, long delta, ExpiryRule rule) {
        return mutations.values().isSealed()
                ? Effect.compute(
                        stored -> stored(key, StoredNumbers.sum(number(key, stored), delta)), stored(key, delta), rule)
                : Effect.add(delta, rule);
    }

    private byte[] stored(String key, long number) {
        return mutations.values().seal(key, CODEC.encode(number));
    }

    private long number(String key, byte[] stored) {
        return CODEC.decode(mutations.values().open(key, stored));
    }

    static Expiry onCreate(Duration ttl) {
        Objects.requireNonNull(ttl, "'ttlOnCreate' must not be null");
        long unused = Millis.ofTtl(ttl, "ttlOnCreate"); // names the caller's parameter if it is not valid
        return Expiry.after(ttl);
    }
}
