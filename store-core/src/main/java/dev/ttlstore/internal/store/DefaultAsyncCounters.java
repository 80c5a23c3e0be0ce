package dev.ttlstore.internal.store;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

import dev.ttlstore.AsyncCounters;
import dev.ttlstore.internal.access.RowAccess;
import dev.ttlstore.internal.commit.Expiry;

/** Submits the writes of counters without waiting for them. */
final class DefaultAsyncCounters extends DefaultAsyncGroup<Long> implements AsyncCounters {

    private final Increments increments;

    DefaultAsyncCounters(RowAccess access, GroupMutations<Long> mutations) {
        super(access, mutations);
        this.increments = new Increments(mutations);
    }

    @Override
    public CompletableFuture<Long> increment(String key) {
        return increment(key, 1);
    }

    @Override
    public CompletableFuture<Long> increment(String key, long delta) {
        return increment(key, delta, increments::standing);
    }

    @Override
    public CompletableFuture<Long> increment(String key, long delta, Duration ttlOnCreate) {
        return increment(key, delta, () -> Increments.onCreate(ttlOnCreate));
    }

    private CompletableFuture<Long> increment(String key, long delta, Supplier<Expiry> expiry) {
        return submit(() -> increments.of(key, delta, expiry.get())).thenApply(bytes -> increments.number(key, bytes));
    }
}
