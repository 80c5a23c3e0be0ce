package dev.ttlstore.internal.store;

import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.AsyncCounters;
import dev.ttlstore.AsyncGroup;
import dev.ttlstore.Expiry;
import dev.ttlstore.KeyRange;
import dev.ttlstore.engine.Answer;
import dev.ttlstore.engine.Operation;
import dev.ttlstore.engine.Request;
import dev.ttlstore.internal.access.Mutation;
import dev.ttlstore.internal.access.RowAccess;

/** Submits a group's mutations without waiting for them. A future also reports that a mutation could not be made. */
sealed class DefaultAsyncGroup<V> implements AsyncGroup<V> {

    private final RowAccess access;
    private final GroupMutations<V> mutations;
    private final ComputedWrites<V> computed;
    private final GroupWalk walk;

    DefaultAsyncGroup(RowAccess access, GroupMutations<V> mutations, ComputedWrites<V> computed, GroupWalk walk) {
        this.access = access;
        this.mutations = mutations;
        this.computed = computed;
        this.walk = walk;
    }

    @Override
    public CompletableFuture<Long> put(String key, V value, Expiry expiry) {
        return submit(() -> mutations.put(key, value, expiry));
    }

    @Override
    public CompletableFuture<Optional<V>> getAndPut(String key, V value, Expiry expiry) {
        return submit(() -> computed.getAndPut(key, value, expiry).inTurn());
    }

    @Override
    public CompletableFuture<@Nullable Void> putAll(Map<String, ? extends V> values, Expiry expiry) {
        return this.<@Nullable Void>begin(
                whole -> mutations.putAll(values, expiry).on(access, whole, count -> whole.complete(null)));
    }

    @Override
    public CompletableFuture<OptionalLong> putIfAbsent(String key, V value, Expiry expiry) {
        return submit(() -> mutations.putIfAbsent(key, value, expiry));
    }

    @Override
    public CompletableFuture<Optional<V>> getAndPutIfAbsent(String key, V value, Expiry expiry) {
        return submit(() -> computed.getAndPutIfAbsent(key, value, expiry).inTurn());
    }

    @Override
    public CompletableFuture<OptionalLong> putIfPresent(String key, V value, Expiry expiry) {
        return submit(() -> mutations.putIfPresent(key, value, expiry));
    }

    @Override
    public CompletableFuture<OptionalLong> replace(String key, V expected, V value, Expiry expiry) {
        return submit(() -> mutations.replace(key, expected, value, expiry));
    }

    @Override
    public CompletableFuture<OptionalLong> replaceVersion(String key, long version, V value, Expiry expiry) {
        return submit(() -> mutations.replaceVersion(key, version, value, expiry));
    }

    @Override
    public CompletableFuture<String> add(V value, Expiry expiry) {
        return begin(whole -> add(value, expiry, whole));
    }

    private void add(V value, Expiry expiry, CompletableFuture<String> whole) {
        String key = GroupMutations.freshKey();
        mutations.putIfAbsent(key, value, expiry).on(access, whole, put -> {
            if (put.isPresent()) {
                whole.complete(key);
            } else {
                add(value, expiry, whole);
            }
        });
    }

    @Override
    public CompletableFuture<Optional<V>> update(String key, UnaryOperator<V> change) {
        return compareAndSet(key, () -> computed.update(change));
    }

    @Override
    public CompletableFuture<Optional<V>> updateOrDelete(String key, Function<? super V, Optional<V>> change) {
        return compareAndSet(key, () -> computed.updateOrDelete(change));
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
        return submit(() -> computed.take(key).inTurn());
    }

    @Override
    public CompletableFuture<Long> clear() {
        return begin(whole -> access.clearAsync(mutations.group(), whole));
    }

    @Override
    public CompletableFuture<Long> clear(KeyRange range) {
        return bulk(() -> walk.clear(range));
    }

    @Override
    public CompletableFuture<Long> sweep(Duration maxAge) {
        return bulk(() -> walk.sweep(maxAge));
    }

    @Override
    public CompletableFuture<Optional<V>> getAndExpire(String key, Expiry expiry) {
        return begin(whole -> computed.getAndExpire(key, expiry).inTurn().on(access, whole, value -> {
            access.context().meter().of(mutations.group()).read(value.isPresent());
            whole.complete(value);
        }));
    }

    @Override
    public CompletableFuture<Boolean> expire(String key, Expiry expiry) {
        return submit(() -> mutations.reschedule(key, expiry));
    }

    @Override
    public CompletableFuture<Long> expireAll(Collection<String> keys, Expiry expiry) {
        return submit(() -> mutations.rescheduleAll(keys, expiry));
    }

    @Override
    public CompletableFuture<Long> expireAll(KeyRange range, Expiry expiry) {
        return bulk(() -> walk.expireAll(range, mutations.rule(expiry)));
    }

    final <R extends @Nullable Object> CompletableFuture<R> submit(Supplier<Mutation<R>> mutation) {
        return begin(whole -> mutation.get().on(access, whole, whole::complete));
    }

    /**
     * Reads in order with the caller's other writes, and writes what the caller's code makes of it, which runs outside
     * of the commit. Starts again if another write came between.
     */
    private <A> CompletableFuture<A> compareAndSet(String key, Supplier<ComputedWrites.Write<A>> write) {
        return begin(whole -> compareAndSet(key, write.get(), whole));
    }

    private <A> void compareAndSet(String key, ComputedWrites.Write<A> write, CompletableFuture<A> whole) {
        Mutation.read(mutations.rowKey(key)).on(access, whole, found -> {
            ComputedWrites.Attempt<A> attempt =
                    access.context().completions().compute(whole, () -> write.from(found.orElse(null)));
            Operation made = attempt.write();
            if (made == null) {
                whole.complete(attempt.answer());
                return;
            }
            new Mutation<>(made, Answer::isApplied).on(access, whole, done -> {
                if (done) {
                    whole.complete(attempt.answer());
                } else {
                    compareAndSet(key, write, whole);
                }
            });
        });
    }

    /** Makes a write in several commits, in another thread, after the writes that are queued already. Each is reported for itself. */
    private CompletableFuture<Long> bulk(Supplier<LongSupplier> write) {
        try {
            LongSupplier checked = write.get();
            return access.context().bulk().submit(() -> {
                Answer unused = access.submit(Request.NOTHING);
                return checked.getAsLong();
            });
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    /** Begins a write, which completes the future that it is given. */
    final <R extends @Nullable Object> CompletableFuture<R> begin(Consumer<CompletableFuture<R>> write) {
        CompletableFuture<R> whole = access.context().meter().future();
        try {
            write.accept(whole);
        } catch (RuntimeException e) {
            whole.completeExceptionally(e);
        }
        return whole;
    }

    /** Submits the writes of counters, too. */
    static final class DefaultAsyncCounters extends DefaultAsyncGroup<Long> implements AsyncCounters {

        DefaultAsyncCounters(
                RowAccess access, GroupMutations<Long> mutations, ComputedWrites<Long> computed, GroupWalk walk) {
            super(access, mutations, computed, walk);
        }

        @Override
        public CompletableFuture<Long> increment(String key, long delta, Expiry onCreate) {
            return submit(() -> super.mutations.increment(key, delta, onCreate));
        }
    }
}
