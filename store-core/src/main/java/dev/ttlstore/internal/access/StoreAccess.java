package dev.ttlstore.internal.access;

import java.lang.ref.Reference;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.engine.Answer;
import dev.ttlstore.engine.Engine;
import dev.ttlstore.engine.GroupRange;
import dev.ttlstore.engine.Reads;
import dev.ttlstore.engine.Request;
import dev.ttlstore.engine.StoreClock;
import dev.ttlstore.event.StoreEvent;
import dev.ttlstore.event.Watch;
import dev.ttlstore.exception.StoreClosedException;
import dev.ttlstore.internal.base.Reply;
import dev.ttlstore.internal.commit.CommitPipeline;
import dev.ttlstore.internal.watch.EventDispatcher;
import dev.ttlstore.internal.watch.WatchRequest;

/**
 * Reaches rows directly: reads go to the store's reads, writes to the commit pipeline.
 *
 * <p>Everything that users hold of a store (the store itself, groups, scopes, open watches, subscriptions) refers to this
 * object. If it is no longer reachable, nobody uses the store, and the store is closed. So the store's own parts must not
 * refer to it, except through what waits in them on behalf of a user. Each call keeps it reachable to the end, because the
 * garbage collector may take an object while a method of it still runs.
 */
public final class StoreAccess implements RowAccess {

    private final Kind kind;
    private final StoreReads reads;
    private final StoreClock clock;
    private final CommitPipeline pipeline;
    private final EventDispatcher dispatcher;
    private final StoreContext context;
    private final AtomicBoolean closed;
    private final SingleFlight loads = new SingleFlight();

    /**
     * Creates the access.
     *
     * @param engine has the rows and the store's time
     * @param reads reads committed rows
     * @param pipeline takes writes
     * @param dispatcher publishes events
     * @param context what all groups share
     * @param closed whether the store is closed
     */
    public StoreAccess(
            Engine engine,
            StoreReads reads,
            CommitPipeline pipeline,
            EventDispatcher dispatcher,
            StoreContext context,
            AtomicBoolean closed) {
        this.kind = engine.info().isShared() ? Kind.SHARED : Kind.OWN;
        this.reads = reads.heldBy(this);
        this.clock = engine.clock();
        this.pipeline = pipeline;
        this.dispatcher = dispatcher;
        this.context = context;
        this.closed = closed;
    }

    /**
     * Runs work on the store's parts, and keeps this object reachable meanwhile.
     *
     * @param work the work
     * @return its result
     * @param <R> the type of the result
     */
    public <R extends @Nullable Object> R holding(Supplier<R> work) {
        try {
            return work.get();
        } finally {
            Reference.reachabilityFence(this);
        }
    }

    /** The filter of a watch, which keeps the access reachable. */
    private record HoldingFilter(StoreAccess access, Predicate<StoreEvent> filter) implements Predicate<StoreEvent> {
        @Override
        public boolean test(StoreEvent event) {
            return filter.test(event);
        }
    }

    @Override
    public StoreContext context() {
        return context;
    }

    @Override
    public void requireUsable() {
        if (closed.get()) {
            throw new StoreClosedException();
        }
        pipeline.requireNoTransaction();
    }

    @Override
    public Kind kind() {
        return kind;
    }

    @Override
    public SingleFlight loads() {
        return loads;
    }

    @Override
    public long now() {
        return clock.now();
    }

    @Override
    public Reads reads() {
        return reads;
    }

    @Override
    public Answer submit(Request request) {
        try {
            return pipeline.submit(request);
        } finally {
            Reference.reachabilityFence(this);
        }
    }

    // If the store becomes unreachable, closing commits what the next two methods have queued.

    @Override
    public void submitAsync(Request request, Reply<Answer> reply) {
        try {
            pipeline.submitAsync(request, reply);
        } finally {
            Reference.reachabilityFence(this);
        }
    }

    @Override
    public void clearAsync(String group, CompletableFuture<Long> future) {
        requireUsable();
        try {
            pipeline.clearAsync(group, future);
        } finally {
            Reference.reachabilityFence(this);
        }
    }

    @Override
    public Watch watch(WatchRequest request) {
        WatchRequest held = request.with(new HoldingFilter(this, request.filter()));
        return request.start().equals(WatchRequest.InitialSignals.NONE)
                ? dispatcher.watch(held, Long.MIN_VALUE)
                : watchFromNow(held);
    }

    /**
     * Opens a watch between two commits, so that each entry comes once: the earlier ones from the watch's start, the
     * later ones as changes. If another process commits to the group meanwhile, the number is too low, so the engine
     * reports a conflict and this runs again.
     */
    private Watch watchFromNow(WatchRequest request) {
        AtomicReference<@Nullable Watch> opened = new AtomicReference<>();
        try {
            return holding(() -> pipeline.transact(view -> {
                closeIfOpen(opened.get()); // if this runs again
                Watch watch = dispatcher.watch(request, view.nextSequence(request.watched()));
                opened.set(watch);
                return watch;
            }));
        } catch (RuntimeException | Error e) {
            closeIfOpen(opened.get());
            throw e;
        }
    }

    private static void closeIfOpen(@Nullable Watch watch) {
        if (watch != null) {
            watch.close();
        }
    }

    @Override
    public long clear(GroupRange groups) {
        return holding(() -> pipeline.clear(groups));
    }
}
