package dev.ttlstore.internal.store;

import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.UnaryOperator;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.Expiry;
import dev.ttlstore.engine.Row;
import dev.ttlstore.engine.RowKey;
import dev.ttlstore.internal.commit.Attempt;
import dev.ttlstore.internal.commit.ExpiryRule;
import dev.ttlstore.internal.commit.Mutation;
import dev.ttlstore.internal.commit.Mutations;
import dev.ttlstore.internal.value.RowValues;

/**
 * The writes of a group that answer with a value or compute one. Each is a decision about the live row, which is null if
 * there is none. A value that cannot be read counts as absent if the store's policy says so.
 */
final class Decisions<V> {

    private final GroupMutations<V> mutations;
    private final RowValues<V> values;

    /**
     * Creates the decisions of a group.
     *
     * @param mutations makes the group's mutations
     */
    Decisions(GroupMutations<V> mutations) {
        this.mutations = mutations;
        this.values = mutations.values();
    }

    /** Replaces the value by the result of a function, and keeps the expiry. */
    Function<@Nullable Row, Attempt<Optional<V>>> update(UnaryOperator<V> change) {
        Objects.requireNonNull(change, "'change' must not be null");
        return row -> {
            V value = value(row);
            return row == null || value == null ? nothing() : put(row, changed(change.apply(value)));
        };
    }

    private V changed(@Nullable V value) {
        if (value == null) {
            throw new NullPointerException(
                    "'change' must not return null; to be able to remove the entry use updateOrDelete(…)");
        }
        return value;
    }

    /** Replaces the value by the result of a function, and keeps the expiry, or deletes the entry. */
    Function<@Nullable Row, Attempt<Optional<V>>> updateOrDelete(Function<? super V, Optional<V>> change) {
        Objects.requireNonNull(change, "'change' must not be null");
        return row -> {
            V value = value(row);
            if (row == null || value == null) {
                return nothing();
            }
            Optional<V> changed = change.apply(value);
            if (changed == null) {
                throw new NullPointerException("'change' must not return null; to remove the entry return empty");
            }
            return changed.isPresent() ? put(row, changed.get()) : new Attempt<>(delete(row), Optional.empty());
        };
    }

    private Attempt<Optional<V>> put(Row row, V value) {
        byte[] encoded = mutations.encode(row.key().key(), value);
        return new Attempt<>(replace(row, encoded, ExpiryRule.KEEP), Optional.of(value));
    }

    /** Deletes the entry and answers with its value. */
    Function<@Nullable Row, Attempt<Optional<V>>> take() {
        return row -> {
            V value = value(row);
            return row == null || value == null ? nothing() : new Attempt<>(delete(row), Optional.of(value));
        };
    }

    /** Changes the expiry and answers with the value. */
    Function<@Nullable Row, Attempt<Optional<V>>> getAndExpire(Expiry expiry) {
        ExpiryRule rule = mutations.expiries().of(expiry);
        return row -> {
            V value = value(row);
            return row == null || value == null
                    ? nothing()
                    : new Attempt<>(Mutations.rescheduleVersion(row.key(), row.version(), rule), Optional.of(value));
        };
    }

    /** Puts a value and answers with the one before. */
    Function<@Nullable Row, Attempt<Optional<V>>> getAndPut(String key, V value, Expiry expiry) {
        ExpiryRule rule = mutations.expiries().ofPut(expiry);
        return getAndPut(mutations.rowKey(key), mutations.encode(key, value), rule, false);
    }

    /** Puts a value if there is none, and otherwise answers with the one that is there. */
    Function<@Nullable Row, Attempt<Optional<V>>> getAndPutIfAbsent(String key, V value, Expiry expiry) {
        ExpiryRule rule = mutations.expiries().ofPut(expiry);
        return getAndPut(mutations.rowKey(key), mutations.encode(key, value), rule, true);
    }

    /** Puts a value within the commit, if there is none or always, and answers with the one before. */
    Mutation<Optional<V>> getAndPut(String key, V value, Expiry expiry, boolean onlyIfAbsent) {
        ExpiryRule rule = mutations.expiries().ofPut(expiry);
        RowKey rowKey = mutations.rowKey(key);
        byte[] encoded = mutations.encode(key, value);
        return Mutations.decide(rowKey, encoded.length, getAndPut(rowKey, encoded, rule, onlyIfAbsent));
    }

    private Function<@Nullable Row, Attempt<Optional<V>>> getAndPut(
            RowKey rowKey, byte[] encoded, ExpiryRule rule, boolean onlyIfAbsent) {
        return row -> {
            V before = value(row);
            Mutation<Boolean> put = onlyIfAbsent && before != null ? null : put(rowKey, row, encoded, rule);
            return new Attempt<>(put, Optional.ofNullable(before));
        };
    }

    /** Puts a value, if the row is still as it was read. */
    Mutation<Boolean> put(RowKey key, @Nullable Row row, byte[] encoded, ExpiryRule rule) {
        return row == null
                ? Mutations.map(Mutations.putIfAbsent(key, encoded, rule), version -> version.isPresent())
                : replace(row, encoded, rule);
    }

    private static Mutation<Boolean> replace(Row row, byte[] encoded, ExpiryRule rule) {
        return Mutations.map(
                Mutations.replaceVersion(row.key(), row.version(), encoded, rule), version -> version.isPresent());
    }

    private static Mutation<Boolean> delete(Row row) {
        return Mutations.deleteVersion(row.key(), row.version());
    }

    private @Nullable V value(@Nullable Row row) {
        return row == null ? null : values.decode(row);
    }

    private static <T> Attempt<Optional<T>> nothing() {
        return new Attempt<>(null, Optional.empty());
    }
}
