package dev.ttlstore;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.engine.Engine;
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
import dev.ttlstore.event.Watch;
import dev.ttlstore.event.WatchOptions;
import dev.ttlstore.exception.StoreClosedException;
import dev.ttlstore.internal.base.StoreClock;
import dev.ttlstore.internal.cache.RowCache;
import dev.ttlstore.internal.commit.CommitPipeline;
import dev.ttlstore.internal.commit.Mutation;
import dev.ttlstore.internal.commit.PendingRenewals;
import dev.ttlstore.internal.watch.EventDispatcher;

/** The way straight to the store: reads to the cache and the engine, writes to the pipeline. */
final class StoreAccess implements RowAccess {

    private final Engine engine;
    private final RowCache cache;
    private final StoreClock clock;
    private final PendingRenewals renewals;
    private final CommitPipeline pipeline;
    private final EventDispatcher dispatcher;
    private final StoreContext context;
    private volatile boolean closed;

    StoreAccess(
            Engine engine,
            RowCache cache,
            StoreClock clock,
            CommitPipeline pipeline,
            EventDispatcher dispatcher,
            StoreContext context) {
        this.engine = engine;
        this.cache = cache;
        this.clock = clock;
        this.renewals = pipeline.renewals();
        this.pipeline = pipeline;
        this.dispatcher = dispatcher;
        this.context = context;
    }

    void close() {
        closed = true;
    }

    @Override
    public StoreContext context() {
        return context;
    }

    @Override
    public void requireUsable() {
        if (closed) {
            throw new StoreClosedException();
        }
        pipeline.requireNoTransaction();
    }

    @Override
    public void requireAsync() {
        requireUsable();
    }

    @Override
    public long now() {
        return clock.now();
    }

    @Override
    public @Nullable Row read(RowKey key) {
        Row row = cache.read(key, engine);
        // The time is taken after the read: a row that has expired meanwhile is not answered. But it may also have been
        // renewed meanwhile, and in time: absent is only what still stands expired when it is looked at again,
        // and that in the engine, whoever answered first, and not while a commit that renews it is in progress.
        while (row != null && hasExpired(row)) {
            renewals.await(key, clock.now());
            Row again = engine.read(key);
            if (again == null || (again.version() == row.version() && again.expiresAt() == row.expiresAt())) {
                return null;
            }
            row = again;
        }
        return row;
    }

    /** To ask for the time takes nearly half of a read from the cache; for a row that does not expire there is no need. */
    private boolean hasExpired(Row row) {
        return row.expiresAt() != Row.NEVER && !row.isLiveAt(clock.now());
    }

    @Override
    public Map<RowKey, Row> read(Collection<RowKey> keys) {
        long now = clock.now(); // before the read, so that what is renewed in time is not missed
        renewals.await(keys, now);
        Map<RowKey, Row> rows = engine.read(keys);
        rows.values().removeIf(row -> !row.isLiveAt(now));
        return rows;
    }

    /** The time to judge entries by in a read that begins now: what has expired by it is not being renewed. */
    private long now(GroupRange groups) {
        long now = clock.now();
        renewals.await(groups, now);
        return now;
    }

    @Override
    public List<KeyValue> readGroup(String group) {
        return engine.readGroup(group, now(GroupRange.only(group)));
    }

    @Override
    public RowPage scan(Scan scan) {
        return engine.scan(scan.with(now(GroupRange.only(scan.group())), scan.limit()));
    }

    @Override
    public long count(GroupRange groups, long at) {
        renewals.await(groups, Math.min(at, clock.now()));
        return groups.isOneGroup() ? engine.count(groups.from(), at) : engine.count(groups, at);
    }

    @Override
    public List<String> groups(GroupRange groups, String after, int limit) {
        return engine.groups(groups, after, now(groups), limit);
    }

    @Override
    public List<ExpiryRow> expiries(ExpiryScan scan) {
        renewals.await(scan.groups(), clock.now());
        return engine.expiries(scan);
    }

    @Override
    public List<Row> retained(RetainedScan scan) {
        return engine.retained(scan);
    }

    @Override
    public @Nullable Row committed(RowKey key) {
        return engine.read(key);
    }

    @Override
    public <R extends @Nullable Object> R submit(Mutation<R> mutation) {
        return pipeline.submit(mutation);
    }

    @Override
    public <R extends @Nullable Object> CompletableFuture<R> submitAsync(Mutation<R> mutation) {
        return pipeline.submitAsync(mutation);
    }

    @Override
    public CompletableFuture<Long> clearAsync(String group) {
        requireUsable();
        return pipeline.ranges().clearAsync(group);
    }

    @Override
    public Watch watch(WatchOptions options, Predicate<StoreEvent> filter, UnaryOperator<StoreEvent> mapping) {
        return dispatcher.watch(options, filter, mapping);
    }

    @Override
    public long clear(GroupRange groups) {
        return groups.isOneGroup()
                ? pipeline.ranges().clear(groups.from())
                : pipeline.ranges().clear(groups);
    }
}
