package dev.ttlstore.internal.store;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

import dev.ttlstore.AsyncCounters;
import dev.ttlstore.Expiry;
import dev.ttlstore.internal.access.RowAccess;

/** Submits the writes of counters without waiting for them. */
final class DefaultAsyncCounters extends DefaultAsyncGroup<Long> implements AsyncCounters {

    private final Increments increments;

    DefaultAsyncCounters(RowAccess access, GroupMutations<Long> mutations, Decisions<Long> decisions, GroupBulk bulk) {
        super(access, mutations, decisions, bulk);
        this.increments = new Increments(mutations);
    }

    @Override
    public CompletableFuture<Long> increment(String key, long delta, Duration ttlOnCreate) {
        return increment(key, delta, () -> Increments.onCreate(ttlOnCreate));
    }

    @Override
    public CompletableFuture<Long> increment(String key, long delta, Expiry onCreate) {
        return increment(key, delta, () -> onCreate);
    }

    private CompletableFuture<Long> increment(String key, long delta, Supplier<Expiry> expiry) {
        return submit(() -> increments.of(key, delta, expiry.get()));
    }
}
