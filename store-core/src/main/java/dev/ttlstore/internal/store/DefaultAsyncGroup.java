package dev.ttlstore.internal.store;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.AsyncGroup;
import dev.ttlstore.engine.Row;
import dev.ttlstore.internal.access.RowAccess;
import dev.ttlstore.internal.commit.Expiry;
import dev.ttlstore.internal.commit.Mutation;
import dev.ttlstore.internal.commit.Mutations;

/** Submits a group's mutations without waiting for them. */
sealed class DefaultAsyncGroup<V> implements AsyncGroup<V> permits DefaultAsyncCounters {

    private final RowAccess access;
    private final GroupMutations<V> mutations;

    DefaultAsyncGroup(RowAccess access, GroupMutations<V> mutations) {
        this.access = access;
        this.mutations = mutations;
    }

    @Override
    public CompletableFuture<@Nullable Void> put(String key, V value) {
        return done(() -> mutations.put(key, value, mutations.standing()));
    }

    @Override
    public CompletableFuture<@Nullable Void> put(String key, V value, Duration ttl) {
        return done(() -> mutations.put(key, value, mutations.after(ttl)));
    }

    @Override
    public CompletableFuture<@Nullable Void> put(String key, V value, Instant expiresAt) {
        return done(() -> mutations.put(key, value, mutations.at(expiresAt)));
    }

    @Override
    public CompletableFuture<@Nullable Void> putAll(Map<String, ? extends V> values) {
        return done(() -> mutations.putAll(values, mutations.standing()));
    }

    @Override
    public CompletableFuture<@Nullable Void> putAll(Map<String, ? extends V> values, Duration ttl) {
        return done(() -> mutations.putAll(values, mutations.after(ttl)));
    }

    @Override
    public CompletableFuture<Boolean> putIfAbsent(String key, V value) {
        return submit(() -> mutations.putIfAbsent(key, value, mutations.standing()));
    }

    @Override
    public CompletableFuture<Boolean> putIfAbsent(String key, V value, Duration ttl) {
        return submit(() -> mutations.putIfAbsent(key, value, mutations.after(ttl)));
    }

    @Override
    public CompletableFuture<Optional<V>> update(String key, UnaryOperator<V> change) {
        if (change == null) {
            return CompletableFuture.failedFuture(new NullPointerException("'change' must not be null"));
        }
        return compareAndSet(key, (row, value) -> mutations.update(row, value, change));
    }

    @Override
    public CompletableFuture<String> add(V value) {
        return add(value, mutations::standing);
    }

    @Override
    public CompletableFuture<String> add(V value, Duration ttl) {
        return add(value, () -> mutations.after(ttl));
    }

    private CompletableFuture<String> add(V value, Supplier<Expiry> expiry) {
        String key = FreshKeys.next();
        return submit(() -> mutations.putIfAbsent(key, value, expiry.get()))
                .thenCompose(put -> put ? CompletableFuture.completedFuture(key) : add(value, expiry));
    }

    @Override
    public CompletableFuture<Boolean> replace(String key, V expected, V value) {
        return submit(() -> mutations.replace(key, expected, value, mutations.standing()));
    }

    @Override
    public CompletableFuture<Boolean> replace(String key, V expected, V value, Duration ttl) {
        return submit(() -> mutations.replace(key, expected, value, mutations.after(ttl)));
    }

    @Override
    public CompletableFuture<Boolean> replaceVersion(String key, long version, V value) {
        return submit(() -> mutations.replaceVersion(key, version, value, mutations.standing()));
    }

    @Override
    public CompletableFuture<Boolean> replaceVersion(String key, long version, V value, Duration ttl) {
        return submit(() -> mutations.replaceVersion(key, version, value, mutations.after(ttl)));
    }

    @Override
    public CompletableFuture<Boolean> delete(String key) {
        return submit(() -> mutations.delete(key));
    }

    @Override
    public CompletableFuture<Boolean> delete(String key, V expected) {
        return submit(() -> mutations.delete(key, expected));
    }

    @Override
    public CompletableFuture<Boolean> deleteVersion(String key, long version) {
        return submit(() -> mutations.deleteVersion(key, version));
    }

    @Override
    public CompletableFuture<Optional<V>> take(String key) {
        return submit(() -> mutations.take(key));
    }

    /**
     * Reads in order with the caller's other writes, and writes what the decision makes of it. Starts again if another
     * write came between.
     */
    private CompletableFuture<Optional<V>> compareAndSet(String key, BiFunction<Row, V, Attempt<V>> decision) {
        return submit(() -> Mutations.read(mutations.rowKey(key))).thenCompose(found -> {
            Row row = found.orElse(null);
            V value = row == null ? null : mutations.values().decode(row);
            if (row == null || value == null) {
                return CompletableFuture.completedFuture(Optional.empty());
            }
            Attempt<V> attempt = decision.apply(row, value);
            return access.submitAsync(attempt.mutation())
                    .thenCompose(done -> done
                            ? CompletableFuture.completedFuture(Optional.of(attempt.answer()))
                            : compareAndSet(key, decision));
        });
    }

    @Override
    public CompletableFuture<Long> clear() {
        try {
            return access.clearAsync(mutations.group());
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    @Override
    public CompletableFuture<Boolean> expire(String key, Duration ttl) {
        return submit(() -> mutations.reschedule(key, mutations.after(ttl)));
    }

    @Override
    public CompletableFuture<Boolean> expire(String key, Instant expiresAt) {
        return submit(() -> mutations.reschedule(key, mutations.at(expiresAt)));
    }

    @Override
    public CompletableFuture<Boolean> persist(String key) {
        return submit(() -> mutations.reschedule(key, Expiry.NEVER));
    }

    private CompletableFuture<@Nullable Void> done(Supplier<Mutation<Long>> mutation) {
        return this.<@Nullable Void>submit(() -> Mutations.silent(mutation.get()));
    }

    /** Submits a mutation. The future also reports a failure to make it. */
    final <R extends @Nullable Object> CompletableFuture<R> submit(Supplier<Mutation<R>> mutation) {
        try {
            return access.submitAsync(mutation.get());
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
    }
}
