package dev.ttlstore.internal.store;

import java.util.Objects;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.engine.Row;
import dev.ttlstore.engine.RowKey;
import dev.ttlstore.internal.access.RowAccess;
import dev.ttlstore.internal.commit.Expiry;
import dev.ttlstore.internal.commit.Mutation;
import dev.ttlstore.internal.commit.Mutations;
import dev.ttlstore.internal.value.RowValues;

/**
 * Writes that run the caller's code between a read and a write: codecs, loaders, changes. Each reads the entry, runs
 * the code without blocking other writers, writes only if the entry has not changed meanwhile, and otherwise starts
 * again.
 */
final class OptimisticWrites<V> {

    private final RowAccess access;
    private final GroupMutations<V> mutations;
    private final RowValues<V> values;

    /**
     * Creates the writes of a group.
     *
     * @param access reaches the rows
     * @param mutations makes the group's mutations
     */
    OptimisticWrites(RowAccess access, GroupMutations<V> mutations) {
        this.access = access;
        this.mutations = mutations;
        this.values = mutations.values();
    }

    Optional<V> update(String key, UnaryOperator<V> change) {
        return compareAndSet(key, (row, value) -> mutations.update(row, value, change));
    }

    /** Decodes the value before removing it, so that a value that cannot be read is not lost. */
    Optional<V> take(String key) {
        return compareAndSet(
                key, (row, value) -> new Attempt<>(Mutations.deleteVersion(row.key(), row.version()), value));
    }

    private Optional<V> compareAndSet(String key, BiFunction<Row, V, Attempt<V>> decision) {
        RowKey rowKey = mutations.rowKey(key);
        for (Row row = access.read(rowKey); row != null; row = access.read(rowKey)) {
            V value = values.decode(row);
            if (value == null) {
                return Optional.empty();
            }
            Attempt<V> attempt = decision.apply(row, value);
            if (access.submit(attempt.mutation())) {
                return Optional.of(attempt.answer());
            }
        }
        return Optional.empty();
    }

    /** Loads and puts a value if there is none. Of several callers that find none at the same time, one loads. */
    V getOrLoad(String key, Expiry expiry, Supplier<Optional<V>> read, Supplier<? extends V> loader) {
        RowKey rowKey = mutations.rowKey(key);
        while (true) {
            V value = read.get().orElse(null);
            if (value == null) {
                value = access.context().loads().runOrWait(rowKey, () -> load(rowKey, expiry, loader));
            }
            if (value != null) {
                return value;
            }
        }
    }

    /** Loads and puts a value, unless there is one by now. Returns null if another value was put meanwhile. */
    private @Nullable V load(RowKey key, Expiry expiry, Supplier<? extends V> loader) {
        Row row = access.read(key);
        V present = row == null ? null : values.decode(row);
        if (present != null) {
            return present;
        }
        V loaded = Objects.requireNonNull(loader.get(), "'loader' must not return null");
        // A row without a value has a value that cannot be read. It counts as absent.
        Mutation<Boolean> put = row == null
                ? mutations.putIfAbsent(key.key(), loaded, expiry)
                : mutations.replaceVersion(key.key(), row.version(), loaded, expiry);
        return access.submit(put) ? loaded : null;
    }

    /** Puts a value under a new, unguessable key. */
    String add(V value, Expiry expiry) {
        String key = FreshKeys.next();
        while (!access.submit(mutations.putIfAbsent(key, value, expiry))) {
            key = FreshKeys.next();
        }
        return key;
    }
}
