package dev.ttlstore;

import java.lang.ref.Reference;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.engine.ExpiryRow;
import dev.ttlstore.engine.ExpiryScan;
import dev.ttlstore.engine.GroupRange;
import dev.ttlstore.engine.KeyValue;
import dev.ttlstore.engine.RetainedScan;
import dev.ttlstore.engine.Row;
import dev.ttlstore.engine.RowKey;
import dev.ttlstore.engine.RowPage;
import dev.ttlstore.engine.Scan;
import dev.ttlstore.event.StoreEvent;
import dev.ttlstore.event.StoreListener;
import dev.ttlstore.event.Watch;
import dev.ttlstore.event.WatchOptions;
import dev.ttlstore.internal.commit.Mutation;

/**
 * What all have in their hands who use a store: itself, its groups and scopes, its open watches and subscriptions. Once
 * nobody can reach it, nobody uses the store any more; so the store's own parts must not hold it, but for what waits in
 * them on behalf of a user.
 *
 * <p>Each call holds it to its end: an object may be collected while a method of it still runs.
 */
final class StoreHandle implements RowAccess {

    private final StoreAccess access;

    StoreHandle(StoreAccess access) {
        this.access = access;
    }

    /** A listener that holds its store. Two of one listener are equal, as without. */
    private record HoldingListener(StoreHandle handle, StoreListener listener) implements StoreListener {
        @Override
        public void onEvent(StoreEvent event) {
            listener.onEvent(event);
        }

        /** For the log. */
        @Override
        public String toString() {
            return listener.getClass().getName();
        }
    }

    /** The filter of a watch that holds its store. */
    private record HoldingFilter(StoreHandle handle, Predicate<StoreEvent> filter) implements Predicate<StoreEvent> {
        @Override
        public boolean test(StoreEvent event) {
            return filter.test(event);
        }
    }

    StoreListener heldBy(StoreListener listener) {
        return new HoldingListener(this, listener);
    }

    /** Runs what goes past this to the store's parts, and holds the store meanwhile. */
    <R extends @Nullable Object> R holding(Supplier<R> work) {
        try {
            return work.get();
        } finally {
            Reference.reachabilityFence(this);
        }
    }

    @Override
    public Watch watch(WatchOptions options, Predicate<StoreEvent> filter, UnaryOperator<StoreEvent> mapping) {
        return access.watch(options, new HoldingFilter(this, filter), mapping);
    }

    @Override
    public StoreContext context() {
        return access.context();
    }

    @Override
    public void requireUsable() {
        access.requireUsable();
    }

    @Override
    public void requireAsync() {
        access.requireAsync();
    }

    @Override
    public long now() {
        return access.now();
    }

    @Override
    public @Nullable Row read(RowKey key) {
        try {
            return access.read(key);
        } finally {
            Reference.reachabilityFence(this);
        }
    }

    @Override
    public Map<RowKey, Row> read(Collection<RowKey> keys) {
        try {
            return access.read(keys);
        } finally {
            Reference.reachabilityFence(this);
        }
    }

    @Override
    public List<KeyValue> readGroup(String group) {
        try {
            return access.readGroup(group);
        } finally {
            Reference.reachabilityFence(this);
        }
    }

    @Override
    public RowPage scan(Scan scan) {
        try {
            return access.scan(scan);
        } finally {
            Reference.reachabilityFence(this);
        }
    }

    @Override
    public long count(GroupRange groups, long at) {
        try {
            return access.count(groups, at);
        } finally {
            Reference.reachabilityFence(this);
        }
    }

    @Override
    public List<String> groups(GroupRange groups, String after, int limit) {
        try {
            return access.groups(groups, after, limit);
        } finally {
            Reference.reachabilityFence(this);
        }
    }

    @Override
    public List<ExpiryRow> expiries(ExpiryScan scan) {
        try {
            return access.expiries(scan);
        } finally {
            Reference.reachabilityFence(this);
        }
    }

    @Override
    public List<Row> retained(RetainedScan scan) {
        try {
            return access.retained(scan);
        } finally {
            Reference.reachabilityFence(this);
        }
    }

    @Override
    public @Nullable Row committed(RowKey key) {
        try {
            return access.committed(key);
        } finally {
            Reference.reachabilityFence(this);
        }
    }

    @Override
    public <R extends @Nullable Object> R submit(Mutation<R> mutation) {
        try {
            return access.submit(mutation);
        } finally {
            Reference.reachabilityFence(this);
        }
    }

    // What is queued by the following is committed by the closing, should nobody hold the store meanwhile.

    @Override
    public <R extends @Nullable Object> CompletableFuture<R> submitAsync(Mutation<R> mutation) {
        try {
            return access.submitAsync(mutation);
        } finally {
            Reference.reachabilityFence(this);
        }
    }

    @Override
    public CompletableFuture<Long> clearAsync(String group) {
        try {
            return access.clearAsync(group);
        } finally {
            Reference.reachabilityFence(this);
        }
    }

    @Override
    public long clear(GroupRange groups) {
        try {
            return access.clear(groups);
        } finally {
            Reference.reachabilityFence(this);
        }
    }
}
