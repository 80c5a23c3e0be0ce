package dev.ttlstore;

import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.commit.CommitPipeline;
import dev.ttlstore.commit.EventDispatcher;
import dev.ttlstore.commit.Namespaces;
import dev.ttlstore.commit.Purge;
import dev.ttlstore.commit.PurgeSchedule;
import dev.ttlstore.commit.StoreClock;
import dev.ttlstore.commit.UsageLedger;
import dev.ttlstore.engine.Engine;
import dev.ttlstore.engine.EngineInfo;
import dev.ttlstore.engine.GroupRange;
import dev.ttlstore.engine.Totals;
import dev.ttlstore.event.StoreListener;
import dev.ttlstore.event.Subscription;

/** A store, and what stands behind its methods. */
final class DefaultStore extends AbstractKeyspace implements Store {

    private final Engine engine;
    private final StoreAccess access;
    private final EventDispatcher dispatcher;
    private final CommitPipeline pipeline;
    private final Quotas quotas;
    private final Purge purge;
    private final @Nullable PurgeSchedule schedule;
    private final AtomicBoolean closed = new AtomicBoolean();

    private DefaultStore(
            Engine engine,
            StoreAccess access,
            EventDispatcher dispatcher,
            CommitPipeline pipeline,
            Quotas quotas,
            Purge purge,
            @Nullable PurgeSchedule schedule) {
        super(access, "");
        this.engine = engine;
        this.access = access;
        this.dispatcher = dispatcher;
        this.pipeline = pipeline;
        this.quotas = quotas;
        this.purge = purge;
        this.schedule = schedule;
    }

    /** Puts the parts of a store together: an engine, its clock, the way in for writes, events and purge. */
    static DefaultStore on(Engine engine, StoreBuilder settings) {
        StoreClock clock = new StoreClock(settings.clock(), engine.mark().time());
        EventDispatcher dispatcher = new EventDispatcher();
        UsageLedger ledger = new UsageLedger();
        boolean retaining = !settings.retention().isZero();
        CommitPipeline pipeline = new CommitPipeline(engine, clock, dispatcher, ledger, retaining);
        Purge purge = new Purge(pipeline, clock, settings.retention());
        return new DefaultStore(
                engine,
                new StoreAccess(engine, clock, pipeline, dispatcher, settings.context()),
                dispatcher,
                pipeline,
                new Quotas(ledger),
                purge,
                settings.purgeInterval().isZero() ? null : new PurgeSchedule(purge, settings.purgeInterval()));
    }

    @Override
    public Scope scope(String namespace) {
        access.requireUsable();
        Objects.requireNonNull(namespace, "'namespace' must not be null");
        if (!Namespaces.isName(namespace)) {
            throw new IllegalArgumentException(
                    "'namespace' must be letters, digits and hyphens, at least one, but is '" + namespace + "'");
        }
        return new DefaultScope(namespace, this, access);
    }

    @Override
    public Scope scope(String namespace, Quota quota) {
        Objects.requireNonNull(quota, "'quota' must not be null");
        Scope scope = scope(namespace);
        quotas.set(namespace, quota);
        return scope;
    }

    Quota quota(String namespace) {
        access.requireUsable();
        return quotas.of(namespace);
    }

    Usage usage(String namespace) {
        access.requireUsable();
        return Quotas.usage(pipeline.usage(namespace));
    }

    @Override
    public <R> R transact(Function<Transaction, R> work) {
        return transact("", work);
    }

    <R> R transact(String prefix, Function<Transaction, R> work) {
        access.requireUsable();
        Objects.requireNonNull(work, "'work' must not be null");
        return pipeline.transact(draft -> {
            TransactionAccess transaction = new TransactionAccess(draft, access.context());
            try {
                return work.apply(new DefaultTransaction(transaction, prefix));
            } finally {
                transaction.end();
            }
        });
    }

    @Override
    public Subscription onChange(StoreListener listener) {
        access.requireUsable();
        return dispatcher.subscribe(Objects.requireNonNull(listener, "'listener' must not be null"));
    }

    @Override
    public long purgeExpired() {
        return purge(GroupRange.ALL);
    }

    long purge(GroupRange groups) {
        access.requireUsable();
        return purge.run(groups);
    }

    @Override
    public StoreStats stats() {
        access.requireUsable();
        EngineInfo info = engine.info();
        Totals totals = engine.totals(access.now());
        return new StoreStats(
                info.name(),
                info.path(),
                totals.live(),
                totals.expired(),
                totals.retained(),
                dispatcher.failures(),
                dispatcher.watchDrops(),
                access.context().unreadable().sum());
    }

    @Override
    public void check() {
        access.requireUsable();
        engine.check();
        pipeline.touch();
    }

    @Override
    public void close() {
        pipeline.requireNoTransaction();
        if (!closed.compareAndSet(false, true)) {
            return;
        }
        access.close();
        if (schedule != null) {
            schedule.stop();
        }
        try {
            pipeline.close();
        } finally {
            dispatcher.closeWatches();
        }
        if (schedule != null && !dispatcher.isTelling()) {
            schedule.awaitStopped();
        }
    }
}
