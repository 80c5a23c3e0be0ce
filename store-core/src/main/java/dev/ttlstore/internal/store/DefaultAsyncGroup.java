package dev.ttlstore.internal.store;

import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.AsyncGroup;
import dev.ttlstore.Expiry;
import dev.ttlstore.KeyRange;
import dev.ttlstore.engine.Row;
import dev.ttlstore.internal.access.RowAccess;
import dev.ttlstore.internal.commit.Attempt;
import dev.ttlstore.internal.commit.Mutation;
import dev.ttlstore.internal.commit.Mutations;

/** Submits a group's mutations without waiting for them. A future also reports that a mutation could not be made. */
sealed class DefaultAsyncGroup<V> implements AsyncGroup<V> permits DefaultAsyncCounters {

    private final RowAccess access;
    private final GroupMutations<V> mutations;
    private final Decisions<V> decisions;
    private final GroupBulk bulk;

    DefaultAsyncGroup(RowAccess access, GroupMutations<V> mutations, Decisions<V> decisions, GroupBulk bulk) {
        this.access = access;
        this.mutations = mutations;
        this.decisions = decisions;
        this.bulk = bulk;
    }

    @Override
    public CompletableFuture<Long> put(String key, V value) {
        return put(key, value, Expiry.groupDefault());
    }

    @Override
    public CompletableFuture<Long> put(String key, V value, Duration ttl) {
        return submit(() -> mutations.put(key, value, Expiry.after(ttl)));
    }

    @Override
    public CompletableFuture<Long> put(String key, V value, Instant expiresAt) {
        return submit(() -> mutations.put(key, value, Expiry.at(expiresAt)));
    }

    @Override
    public CompletableFuture<Long> put(String key, V value, Expiry expiry) {
        return submit(() -> mutations.put(key, value, expiry));
    }

    @Override
    public CompletableFuture<Optional<V>> getAndPut(String key, V value) {
        return getAndPut(key, value, Expiry.groupDefault());
    }

    @Override
    public CompletableFuture<Optional<V>> getAndPut(String key, V value, Duration ttl) {
        return submit(() -> decisions.getAndPut(key, value, Expiry.after(ttl), false));
    }

    @Override
    public CompletableFuture<Optional<V>> getAndPut(String key, V value, Expiry expiry) {
        return submit(() -> decisions.getAndPut(key, value, expiry, false));
    }

    @Override
    public CompletableFuture<@Nullable Void> putAll(Map<String, ? extends V> values) {
        return putAll(values, Expiry.groupDefault());
    }

    @Override
    public CompletableFuture<@Nullable Void> putAll(Map<String, ? extends V> values, Duration ttl) {
        return putAll(values, () -> Expiry.after(ttl));
    }

    @Override
    public CompletableFuture<@Nullable Void> putAll(Map<String, ? extends V> values, Expiry expiry) {
        return putAll(values, () -> expiry);
    }

    private CompletableFuture<@Nullable Void> putAll(Map<String, ? extends V> values, Supplier<Expiry> expiry) {
        return this.<@Nullable Void>submit(
                () -> Mutations.<Long, @Nullable Void>map(mutations.putAll(values, expiry.get()), count -> null));
    }

    @Override
    public CompletableFuture<OptionalLong> putIfAbsent(String key, V value) {
        return putIfAbsent(key, value, Expiry.groupDefault());
    }

    @Override
    public CompletableFuture<OptionalLong> putIfAbsent(String key, V value, Duration ttl) {
        return submit(() -> mutations.putIfAbsent(key, value, Expiry.after(ttl)));
    }

    @Override
    public CompletableFuture<OptionalLong> putIfAbsent(String key, V value, Expiry expiry) {
        return submit(() -> mutations.putIfAbsent(key, value, expiry));
    }

    @Override
    public CompletableFuture<Optional<V>> getAndPutIfAbsent(String key, V value) {
        return getAndPutIfAbsent(key, value, Expiry.groupDefault());
    }

    @Override
    public CompletableFuture<Optional<V>> getAndPutIfAbsent(String key, V value, Duration ttl) {
        return submit(() -> decisions.getAndPut(key, value, Expiry.after(ttl), true));
    }

    @Override
    public CompletableFuture<Optional<V>> getAndPutIfAbsent(String key, V value, Expiry expiry) {
        return submit(() -> decisions.getAndPut(key, value, expiry, true));
    }

    @Override
    public CompletableFuture<OptionalLong> putIfPresent(String key, V value) {
        return putIfPresent(key, value, Expiry.groupDefault());
    }

    @Override
    public CompletableFuture<OptionalLong> putIfPresent(String key, V value, Duration ttl) {
        return submit(() -> mutations.putIfPresent(key, value, Expiry.after(ttl)));
    }

    @Override
    public CompletableFuture<OptionalLong> putIfPresent(String key, V value, Expiry expiry) {
        return submit(() -> mutations.putIfPresent(key, value, expiry));
    }

    @Override
    public CompletableFuture<OptionalLong> replace(String key, V expected, V value) {
        return replace(key, expected, value, Expiry.groupDefault());
    }

    @Override
    public CompletableFuture<OptionalLong> replace(String key, V expected, V value, Duration ttl) {
        return submit(() -> mutations.replace(key, expected, value, Expiry.after(ttl)));
    }

    @Override
    public CompletableFuture<OptionalLong> replace(String key, V expected, V value, Expiry expiry) {
        return submit(() -> mutations.replace(key, expected, value, expiry));
    }

    @Override
    public CompletableFuture<OptionalLong> replaceVersion(String key, long version, V value) {
        return replaceVersion(key, version, value, Expiry.groupDefault());
    }

    @Override
    public CompletableFuture<OptionalLong> replaceVersion(String key, long version, V value, Duration ttl) {
        return submit(() -> mutations.replaceVersion(key, version, value, Expiry.after(ttl)));
    }

    @Override
    public CompletableFuture<OptionalLong> replaceVersion(String key, long version, V value, Expiry expiry) {
        return submit(() -> mutations.replaceVersion(key, version, value, expiry));
    }

    @Override
    public CompletableFuture<String> add(V value) {
        return add(value, Expiry.groupDefault());
    }

    @Override
    public CompletableFuture<String> add(V value, Duration ttl) {
        return add(value, () -> Expiry.after(ttl));
    }

    @Override
    public CompletableFuture<String> add(V value, Expiry expiry) {
        return add(value, () -> expiry);
    }

    private CompletableFuture<String> add(V value, Supplier<Expiry> expiry) {
        String key = FreshKeys.next();
        return submit(() -> mutations.putIfAbsent(key, value, expiry.get()))
                .thenCompose(put -> put.isPresent() ? CompletableFuture.completedFuture(key) : add(value, expiry));
    }

    @Override
    public CompletableFuture<Optional<V>> update(String key, UnaryOperator<V> change) {
        return compareAndSet(key, () -> decisions.update(change));
    }

    @Override
    public CompletableFuture<Optional<V>> updateOrDelete(String key, Function<? super V, Optional<V>> change) {
        return compareAndSet(key, () -> decisions.updateOrDelete(change));
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
    public CompletableFuture<Long> deleteAll(Collection<String> keys) {
        return submit(() -> mutations.deleteAll(keys));
    }

    @Override
    public CompletableFuture<Optional<V>> take(String key) {
        return decide(key, decisions::take);
    }

    @Override
    public CompletableFuture<Long> clear() {
        return started(() -> access.clearAsync(mutations.group()));
    }

    @Override
    public CompletableFuture<Long> clear(KeyRange range) {
        return started(() -> bulk.async(bulk.clear(range)));
    }

    @Override
    public CompletableFuture<Long> sweep(Duration maxAge) {
        return started(() -> bulk.async(bulk.sweep(maxAge)));
    }

    @Override
    public CompletableFuture<Optional<V>> getAndExpire(String key, Duration ttl) {
        return getAndExpire(key, () -> Expiry.after(ttl));
    }

    @Override
    public CompletableFuture<Optional<V>> getAndExpire(String key, Expiry expiry) {
        return getAndExpire(key, () -> expiry);
    }

    private CompletableFuture<Optional<V>> getAndExpire(String key, Supplier<Expiry> expiry) {
        CompletableFuture<Optional<V>> got = decide(key, () -> decisions.getAndExpire(expiry.get()));
        CompletableFuture<?> unused = got.thenAccept(
                value -> access.context().meter().of(mutations.group()).read(value.isPresent()));
        return got;
    }

    @Override
    public CompletableFuture<Boolean> expire(String key, Duration ttl) {
        return submit(() -> mutations.reschedule(key, Expiry.after(ttl)));
    }

    @Override
    public CompletableFuture<Boolean> expire(String key, Instant expiresAt) {
        return submit(() -> mutations.reschedule(key, Expiry.at(expiresAt)));
    }

    @Override
    public CompletableFuture<Boolean> expire(String key, Expiry expiry) {
        return submit(() -> mutations.reschedule(key, expiry));
    }

    @Override
    public CompletableFuture<Boolean> expireNow(String key) {
        return expire(key, Expiry.now());
    }

    @Override
    public CompletableFuture<Boolean> persist(String key) {
        return expire(key, Expiry.never());
    }

    @Override
    public CompletableFuture<Long> expireAll(Collection<String> keys, Expiry expiry) {
        return submit(() -> mutations.rescheduleAll(keys, expiry));
    }

    @Override
    public CompletableFuture<Long> expireAll() {
        return expireAll(Expiry.now());
    }

    @Override
    public CompletableFuture<Long> expireAll(Duration ttl) {
        return expireAll(KeyRange.all(), () -> Expiry.after(ttl));
    }

    @Override
    public CompletableFuture<Long> expireAll(Expiry expiry) {
        return expireAll(KeyRange.all(), expiry);
    }

    @Override
    public CompletableFuture<Long> expireAll(KeyRange range, Expiry expiry) {
        return expireAll(range, () -> expiry);
    }

    private CompletableFuture<Long> expireAll(KeyRange range, Supplier<Expiry> expiry) {
        return started(() -> bulk.async(bulk.expireAll(range, expiry.get())));
    }

    /** Submits a mutation. */
    final <R extends @Nullable Object> CompletableFuture<R> submit(Supplier<Mutation<R>> mutation) {
        return started(() -> access.submitAsync(mutation.get()));
    }

    /** Decides within the commit, so that it comes after the caller's earlier writes and before the later ones. */
    private <A> CompletableFuture<A> decide(String key, Supplier<Function<@Nullable Row, Attempt<A>>> decision) {
        return submit(() -> Mutations.decide(mutations.rowKey(key), 0, decision.get()));
    }

    /**
     * Reads in order with the caller's other writes, and writes what the caller's code makes of it, which runs outside
     * of the commit. Starts again if another write came between.
     */
    private <A> CompletableFuture<A> compareAndSet(String key, Supplier<Function<@Nullable Row, Attempt<A>>> decision) {
        return started(() -> compareAndSet(key, decision.get()));
    }

    private <A> CompletableFuture<A> compareAndSet(String key, Function<@Nullable Row, Attempt<A>> decision) {
        return submit(() -> Mutations.read(mutations.rowKey(key))).thenCompose(found -> {
            Attempt<A> attempt = decision.apply(found.orElse(null));
            CompletableFuture<A> answer = CompletableFuture.completedFuture(attempt.answer());
            return attempt.write() == null
                    ? answer
                    : access.submitAsync(attempt.write())
                            .thenCompose(done -> done ? answer : compareAndSet(key, decision));
        });
    }

    private static <R extends @Nullable Object> CompletableFuture<R> started(Supplier<CompletableFuture<R>> start) {
        try {
            return start.get();
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
    }
}
