package dev.ttlstore;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.engine.Row;
import dev.ttlstore.engine.RowKey;
import dev.ttlstore.internal.commit.Expiry;
import dev.ttlstore.internal.commit.Mutation;
import dev.ttlstore.internal.commit.Mutations;

/** Submits a group's writes without waiting for them. */
sealed class DefaultAsyncGroup<V> implements AsyncGroup<V> permits DefaultAsyncCounters {

    private final Access access;
    private final Writes<V> writes;

    DefaultAsyncGroup(Access access, Writes<V> writes) {
        this.access = access;
        this.writes = writes;
    }

    @Override
    public CompletableFuture<@Nullable Void> put(String key, V value) {
        return done(() -> writes.put(key, value, writes.standing()));
    }

    @Override
    public CompletableFuture<@Nullable Void> put(String key, V value, Duration ttl) {
        return done(() -> writes.put(key, value, writes.after(ttl)));
    }

    @Override
    public CompletableFuture<@Nullable Void> put(String key, V value, Instant expiresAt) {
        return done(() -> writes.put(key, value, writes.at(expiresAt)));
    }

    @Override
    public CompletableFuture<@Nullable Void> putAll(Map<String, ? extends V> values) {
        return done(() -> writes.putAll(values, writes.standing()));
    }

    @Override
    public CompletableFuture<@Nullable Void> putAll(Map<String, ? extends V> values, Duration ttl) {
        return done(() -> writes.putAll(values, writes.after(ttl)));
    }

    @Override
    public CompletableFuture<Boolean> putIfAbsent(String key, V value) {
        return submit(() -> writes.putIfAbsent(key, value, writes.standing()));
    }

    @Override
    public CompletableFuture<Boolean> putIfAbsent(String key, V value, Duration ttl) {
        return submit(() -> writes.putIfAbsent(key, value, writes.after(ttl)));
    }

    @Override
    public CompletableFuture<Optional<V>> update(String key, UnaryOperator<V> change) {
        if (change == null) {
            return CompletableFuture.failedFuture(new NullPointerException("'change' must not be null"));
        }
        return compareAndSet(key, row -> {
            V changed = change.apply(row.value());
            return new Attempt<>(writes.update(row.key(), row.version(), changed), changed);
        });
    }

    @Override
    public CompletableFuture<String> add(V value) {
        return add(value, writes::standing);
    }

    @Override
    public CompletableFuture<String> add(V value, Duration ttl) {
        return add(value, () -> writes.after(ttl));
    }

    private CompletableFuture<String> add(V value, Supplier<Expiry> expiry) {
        String key = FreshKeys.next();
        return submit(() -> writes.putIfAbsent(key, value, expiry.get()))
                .thenCompose(put -> put ? CompletableFuture.completedFuture(key) : add(value, expiry));
    }

    @Override
    public CompletableFuture<Boolean> replace(String key, V expected, V value) {
        return submit(() -> writes.replace(key, expected, value, writes.standing()));
    }

    @Override
    public CompletableFuture<Boolean> replace(String key, V expected, V value, Duration ttl) {
        return submit(() -> writes.replace(key, expected, value, writes.after(ttl)));
    }

    @Override
    public CompletableFuture<Boolean> replaceVersion(String key, long version, V value) {
        return submit(() -> writes.replaceVersion(key, version, value, writes.standing()));
    }

    @Override
    public CompletableFuture<Boolean> replaceVersion(String key, long version, V value, Duration ttl) {
        return submit(() -> writes.replaceVersion(key, version, value, writes.after(ttl)));
    }

    @Override
    public CompletableFuture<Boolean> delete(String key) {
        return submit(() -> writes.delete(key));
    }

    @Override
    public CompletableFuture<Boolean> delete(String key, V expected) {
        return submit(() -> writes.delete(key, expected));
    }

    @Override
    public CompletableFuture<Boolean> deleteVersion(String key, long version) {
        return submit(() -> writes.deleteVersion(key, version));
    }

    @Override
    public CompletableFuture<Optional<V>> take(String key) {
        return submit(() -> writes.take(key));
    }

    /** A row with its value, as it was read. */
    private record Read<V>(RowKey key, long version, V value) {}

    /** A write that is made unless another was faster, and what to answer then. */
    private record Attempt<V>(Mutation<Boolean> mutation, V answer) {}

    /** Reads in its turn among the caller's writes, and writes what follows from it; again, when another write came between. */
    private CompletableFuture<Optional<V>> compareAndSet(String key, Function<Read<V>, Attempt<V>> decision) {
        return submit(() -> Mutations.read(writes.rowKey(key))).thenCompose(found -> {
            Row row = found.orElse(null);
            V value = row == null ? null : writes.values().decode(key, row.value());
            if (row == null || value == null) {
                return CompletableFuture.completedFuture(Optional.empty());
            }
            Attempt<V> attempt = decision.apply(new Read<>(row.key(), row.version(), value));
            return access.submitAsync(attempt.mutation())
                    .thenCompose(done -> done
                            ? CompletableFuture.completedFuture(Optional.of(attempt.answer()))
                            : compareAndSet(key, decision));
        });
    }

    @Override
    public CompletableFuture<Long> clear() {
        try {
            return access.clearAsync(writes.group());
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    @Override
    public CompletableFuture<Boolean> expire(String key, Duration ttl) {
        return submit(() -> writes.reschedule(key, writes.after(ttl)));
    }

    @Override
    public CompletableFuture<Boolean> expire(String key, Instant expiresAt) {
        return submit(() -> writes.reschedule(key, writes.at(expiresAt)));
    }

    @Override
    public CompletableFuture<Boolean> persist(String key) {
        return submit(() -> writes.reschedule(key, Expiry.NEVER));
    }

    private CompletableFuture<@Nullable Void> done(Supplier<Mutation<Long>> mutation) {
        return this.<@Nullable Void>submit(() -> Mutations.silent(mutation.get()));
    }

    /** Whatever goes wrong on the way, the caller finds it in the future. */
    final <R extends @Nullable Object> CompletableFuture<R> submit(Supplier<Mutation<R>> mutation) {
        try {
            return access.submitAsync(mutation.get());
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
    }
}
