package dev.ttlstore;

import java.lang.ref.Cleaner;
import java.lang.ref.Reference;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.engine.Engine;
import dev.ttlstore.engine.EngineInfo;
import dev.ttlstore.engine.GroupRange;
import dev.ttlstore.engine.Row;
import dev.ttlstore.engine.Sizes;
import dev.ttlstore.engine.Totals;
import dev.ttlstore.event.StoreListener;
import dev.ttlstore.event.StoreObserver;
import dev.ttlstore.event.Subscription;
import dev.ttlstore.exception.StoreException;
import dev.ttlstore.internal.base.Namespaces;
import dev.ttlstore.internal.base.StoreClock;
import dev.ttlstore.internal.cache.CacheCounts;
import dev.ttlstore.internal.cache.RowCache;
import dev.ttlstore.internal.commit.CommitPipeline;
import dev.ttlstore.internal.commit.Subscribers;
import dev.ttlstore.internal.commit.UsageLedger;
import dev.ttlstore.internal.delivery.Deliveries;
import dev.ttlstore.internal.purge.ExpiryTimer;
import dev.ttlstore.internal.purge.Purge;
import dev.ttlstore.internal.purge.PurgeSchedule;
import dev.ttlstore.internal.stats.Meter;
import dev.ttlstore.internal.stats.Meter.EntryCounts;
import dev.ttlstore.internal.watch.EventDispatcher;

/** A store, and what stands behind its methods. */
final class DefaultStore extends WatchedKeyspace implements Store {

    private final Engine engine;
    private final StoreHandle handle;
    private final EventDispatcher dispatcher;
    private final CommitPipeline pipeline;
    private final RowCache cache;
    private final Quotas quotas;
    private final Purge purge;
    private final Deliveries deliveries;
    private final DurableExpiry expiry;
    private final Threads threads;
    private final Shutdown shutdown;
    private final Cleaner.Cleanable leakReport;

    private DefaultStore(
            Engine engine,
            StoreHandle handle,
            EventDispatcher dispatcher,
            CommitPipeline pipeline,
            RowCache cache,
            Quotas quotas,
            Purge purge,
            Deliveries deliveries,
            DurableExpiry expiry,
            Threads threads,
            Shutdown shutdown) {
        super(handle, "", expiry);
        this.engine = engine;
        this.handle = handle;
        this.dispatcher = dispatcher;
        this.pipeline = pipeline;
        this.cache = cache;
        this.quotas = quotas;
        this.purge = purge;
        this.deliveries = deliveries;
        this.expiry = expiry;
        this.threads = threads;
        this.shutdown = shutdown;
        Path path = engine.info().path();
        this.leakReport = LeakReport.on(handle, path == null ? "in memory" : path.toString(), shutdown);
    }

    /** Puts the parts of a store together: an engine, its clock, the way in for writes, events and purge. */
    static DefaultStore on(Engine engine, RowCache cache, StoreBuilder settings) {
        StoreClock clock = new StoreClock(settings.clock(), engine.state().time());
        EventDispatcher dispatcher = new EventDispatcher();
        UsageLedger ledger = new UsageLedger();
        boolean retaining = !settings.retention().isZero();
        Subscribers subscribers = new Subscribers(engine.deliveries().subscribers());
        StoreContext context = settings.context();
        Meter meter = context.meter();
        CommitPipeline pipeline =
                new CommitPipeline(engine, cache, clock, dispatcher, ledger, retaining, subscribers, meter);
        Purge purge = new Purge(pipeline, clock, settings.retention(), meter);
        StoreAccess access = new StoreAccess(engine, cache, clock, pipeline, dispatcher, context);
        PurgeSchedule schedule =
                settings.purgeInterval().isZero() ? null : new PurgeSchedule(purge, settings.purgeInterval());
        Deliveries deliveries = new Deliveries(engine.deliveries(), pipeline, clock, subscribers, settings.expiry());
        ExpiryTimer timer = new ExpiryTimer(
                engine,
                clock,
                purge,
                () -> settings.expiryOnTime() && (dispatcher.hasListeners() || deliveries.isAnyActive()));
        pipeline.onCommit((now, earliestExpiry, expired) -> {
            timer.committed(now, earliestExpiry);
            if (expired) {
                deliveries.expired();
            }
        });
        dispatcher.onListener(timer::start);
        StoreHandle handle = new StoreHandle(access);
        return new DefaultStore(
                engine,
                handle,
                dispatcher,
                pipeline,
                cache,
                new Quotas(ledger),
                purge,
                deliveries,
                new DurableExpiry(
                        new DurableExpiry.Parts(handle, engine.deliveries(), pipeline, subscribers, deliveries, timer),
                        ""),
                new Threads(timer, deliveries, schedule),
                new Shutdown(access, pipeline, dispatcher, deliveries, timer, schedule, settings.closeTimeout()));
    }

    @Override
    public Scope scope(String namespace) {
        handle.requireUsable();
        Objects.requireNonNull(namespace, "'namespace' must not be null");
        if (!Namespaces.isName(namespace)) {
            throw new IllegalArgumentException(
                    "'namespace' must be letters, digits and hyphens, at least one, but is '" + namespace + "'");
        }
        return new DefaultScope(namespace, this, handle);
    }

    @Override
    public Scope scope(String namespace, Quota quota) {
        Objects.requireNonNull(quota, "'quota' must not be null");
        Scope scope = scope(namespace);
        quotas.set(namespace, quota);
        return scope;
    }

    Quota quota(String namespace) {
        handle.requireUsable();
        return quotas.of(namespace);
    }

    Usage usage(String namespace) {
        handle.requireUsable();
        return Quotas.usage(handle.holding(() -> pipeline.ranges().usage(namespace)));
    }

    @Override
    public <R> R transact(Function<Transaction, R> work) {
        return transact("", work);
    }

    <R> R transact(String prefix, Function<Transaction, R> work) {
        handle.requireUsable();
        Objects.requireNonNull(work, "'work' must not be null");
        return handle.holding(() -> pipeline.transact(draft -> {
            TransactionAccess transaction = new TransactionAccess(draft, handle.context());
            try {
                return work.apply(new DefaultTransaction(transaction, prefix));
            } finally {
                transaction.end();
            }
        }));
    }

    @Override
    public Subscription onChange(StoreListener listener) {
        handle.requireUsable();
        Objects.requireNonNull(listener, "'listener' must not be null");
        return dispatcher.subscribe(handle.heldBy(listener));
    }

    @Override
    public void closeWatches() {
        dispatcher.closeWatches();
    }

    ExpiryEvents expiryWithin(String prefix) {
        return expiry.within(prefix);
    }

    @Override
    public long purgeExpired() {
        return purge(GroupRange.ALL);
    }

    long purge(GroupRange groups) {
        handle.requireUsable();
        long removed = handle.holding(() -> {
            long purged = purge.run(groups);
            dispatcher.deliverSoFar(); // what another has removed meanwhile may still be on its way to the listeners
            return purged;
        });
        deliveries.lookAgain();
        return removed;
    }

    @Override
    public @Nullable Path path() {
        handle.requireUsable();
        return engine.info().path();
    }

    @Override
    public StoreStats stats() {
        handle.requireUsable();
        EngineInfo info = engine.info();
        return handle.holding(() -> {
            long now = handle.now();
            pipeline.renewals().await(GroupRange.ALL, now);
            Totals totals = engine.totals(now);
            Sizes sizes = engine.sizes();
            return new StoreStats(
                    info.name(),
                    info.path(),
                    totals.live(),
                    totals.expired(),
                    totals.retained(),
                    sizes.file(),
                    sizes.wal(),
                    Duration.ofMillis(Math.max(0, now - engine.nextDue())));
        });
    }

    @Override
    public StoreActivity activity() {
        handle.requireUsable();
        Meter meter = handle.context().meter();
        long lastPurge = meter.lastPurge();
        CacheCounts cached = cache.counts();
        Map<String, GroupActivity> groups = new HashMap<>();
        meter.groups().forEach((name, counts) -> groups.put(name, activity(counts)));
        return new StoreActivity(
                activity(meter.all()),
                Map.copyOf(groups),
                meter.commits(),
                meter.writes(),
                meter.purges(),
                lastPurge == Row.NEVER ? null : Instant.ofEpochMilli(lastPurge),
                quotas.refusals(),
                dispatcher.failures(),
                Duration.ofNanos(dispatcher.listenerNanos()),
                dispatcher.watchDrops(),
                handle.context().unreadable().sum(),
                new CacheActivity(cached.hits(), cached.misses(), cached.evictions(), cached.bytes()));
    }

    private static GroupActivity activity(EntryCounts counts) {
        return new GroupActivity(
                counts.hits(),
                counts.misses(),
                counts.created(),
                counts.replaced(),
                counts.deleted(),
                counts.expired());
    }

    @Override
    public Subscription observe(StoreObserver observer) {
        handle.requireUsable();
        Objects.requireNonNull(observer, "'observer' must not be null");
        return handle.context().meter().observe(observer);
    }

    @Override
    public void check() {
        handle.requireUsable();
        handle.holding(() -> {
            engine.check();
            pipeline.ranges().probe();
            threads.requireRunning();
            return true;
        });
    }

    /** What a store does by itself. */
    private record Threads(
            ExpiryTimer timer,
            Deliveries deliveries,
            @Nullable PurgeSchedule schedule) {

        void requireRunning() {
            List<String> missing = new ArrayList<>();
            if (!timer.ensureRunning()) {
                missing.add(ExpiryTimer.NAME);
            }
            if (!deliveries.ensureRunning()) {
                missing.add(Deliveries.NAME);
            }
            if (schedule != null && !schedule.isRunning()) {
                missing.add(PurgeSchedule.NAME);
            }
            if (!missing.isEmpty()) {
                throw new StoreException(
                        "Threads of the store are not running, and cannot be started: " + String.join(", ", missing)
                                + "; entries that expire are told late, or not at all",
                        "Free memory, or allow more threads; if that does not help, start the application again",
                        null);
            }
        }
    }

    @Override
    public void close() {
        try {
            shutdown.run();
        } finally {
            if (shutdown.hasBegun()) { // it has not, when refused within a transaction
                leakReport.clean();
            }
            Reference.reachabilityFence(handle);
        }
    }
}
