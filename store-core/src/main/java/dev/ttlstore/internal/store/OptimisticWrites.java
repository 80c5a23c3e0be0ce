package dev.ttlstore.internal.store;

import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.Expiry;
import dev.ttlstore.engine.ExpiryRule;
import dev.ttlstore.engine.Operation;
import dev.ttlstore.engine.Outcome;
import dev.ttlstore.engine.Reads;
import dev.ttlstore.engine.Request;
import dev.ttlstore.engine.Row;
import dev.ttlstore.engine.RowKey;
import dev.ttlstore.internal.access.Mutation;
import dev.ttlstore.internal.access.RowAccess;

/**
 * Writes that run the caller's code between a read and a write: codecs, loaders, changes. Each reads the entry, runs
 * the code without blocking other writers, writes only if the entry has not changed meanwhile, and otherwise starts
 * again.
 *
 * @param <V> the type of the values
 */
final class OptimisticWrites<V> {

    private final RowAccess access;
    private final GroupMutations<V> mutations;
    private final ComputedWrites<V> computed;

    /**
     * Creates the writes of a group.
     *
     * @param access reaches the rows
     * @param mutations makes the group's mutations
     * @param computed makes the writes that are computed
     */
    OptimisticWrites(RowAccess access, GroupMutations<V> mutations, ComputedWrites<V> computed) {
        this.access = access;
        this.mutations = mutations;
        this.computed = computed;
    }

    /** Runs a write of an entry. */
    <A> A run(String key, ComputedWrites.Write<A> write) {
        RowKey rowKey = mutations.rowKey(key);
        while (true) {
            Row row = access.reads().get(rowKey, Reads.NOW);
            ComputedWrites.Attempt<A> attempt = write.from(row);
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
    <A> Optional<A> answer(String key, ComputedWrites<V>.Answering<A> write) {
        Mutation<Outcome> returning = access.kind() == RowAccess.Kind.SHARED ? write.returning() : null;
        if (returning == null) {
            return run(key, write);
        }
        Outcome outcome = returning.on(access);
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
        ExpiryRule rule = mutations.expiries().ofPut(expiry);
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
        V present = row == null ? null : mutations.values().decode(row);
        if (present != null) {
            return present;
        }
        V loaded = Objects.requireNonNull(loader.get(), "'loader' must not return null");
        // A row without a value has a value that cannot be read. It counts as absent.
        byte[] encoded = mutations.encode(key.key(), loaded);
        return applies(computed.put(key, row, encoded, rule)) ? loaded : null;
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
