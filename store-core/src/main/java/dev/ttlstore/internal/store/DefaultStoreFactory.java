package dev.ttlstore.internal.store;

import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.CopyResult;
import dev.ttlstore.CopySettings;
import dev.ttlstore.Durability;
import dev.ttlstore.GroupSettings;
import dev.ttlstore.Store;
import dev.ttlstore.StoreFactory;
import dev.ttlstore.StoreSettings;
import dev.ttlstore.engine.Engine;
import dev.ttlstore.engine.EngineSettings;
import dev.ttlstore.engine.Namespaces;
import dev.ttlstore.engine.Quotas;
import dev.ttlstore.engine.StoreClock;
import dev.ttlstore.engine.support.EarlyClasses;
import dev.ttlstore.exception.MissingLibraryException;
import dev.ttlstore.internal.access.BulkThread;
import dev.ttlstore.internal.access.JoiningAccess;
import dev.ttlstore.internal.access.StoreAccess;
import dev.ttlstore.internal.access.StoreContext;
import dev.ttlstore.internal.access.StoreReads;
import dev.ttlstore.internal.base.BackgroundWork;
import dev.ttlstore.internal.base.Completions;
import dev.ttlstore.internal.base.Meter;
import dev.ttlstore.internal.cache.RowCache;
import dev.ttlstore.internal.commit.CommitPipeline;
import dev.ttlstore.internal.copy.Copying;
import dev.ttlstore.internal.delivery.DeliveryService;
import dev.ttlstore.internal.purge.ClockLeapRepair;
import dev.ttlstore.internal.purge.EarlyPurge;
import dev.ttlstore.internal.purge.ExpiredPurge;
import dev.ttlstore.internal.purge.ExpiryTimer;
import dev.ttlstore.internal.purge.PurgeRun;
import dev.ttlstore.internal.purge.PurgeSchedule;
import dev.ttlstore.internal.purge.Retentions;
import dev.ttlstore.internal.value.Codecs;
import dev.ttlstore.internal.value.ValueSettings;
import dev.ttlstore.internal.watch.EventDispatcher;
import dev.ttlstore.internal.watch.EventValues;

/** Opens an engine and assembles a store around it, or copies one. */
public final class DefaultStoreFactory implements StoreFactory {

    /** Creates the factory; called by {@link java.util.ServiceLoader}. */
    public DefaultStoreFactory() {}

    @Override
    public Store open(StoreSettings settings) {
        EarlyClasses.initialize(DefaultStoreFactory.class);
        RowCache cache = cache(settings.cacheSize()); // first: if it is impossible, no file is created
        Engine engine = settings.engine().open(asked(settings));
        try {
            return assemble(
                    engine, engine.info().isShared() ? RowCache.of(settings.sharedCacheSize(), true) : cache, settings);
        } catch (RuntimeException | Error e) { // such as a clock that throws: the file must not stay locked
            engine.close();
            throw e;
        }
    }

    @Override
    public CopyResult copy(CopySettings settings) {
        return Copying.run(settings);
    }

    private static EngineSettings asked(StoreSettings settings) {
        return new EngineSettings(
                settings.durability() == Durability.FULL,
                settings.lockTimeout(),
                settings.clock(),
                groups(settings.groups(), GroupSettings::ageIndex));
    }

    private static Set<String> groups(Map<String, GroupSettings> all, Predicate<GroupSettings> wanted) {
        return all.entrySet().stream()
                .filter(group -> wanted.test(group.getValue()))
                .map(group -> group.getKey())
                .collect(Collectors.toUnmodifiableSet());
    }

    private static RowCache cache(long size) {
        try {
            return RowCache.of(size, false);
        } catch (NoClassDefFoundError e) {
            throw new MissingLibraryException(
                    "com.github.ben-manes.caffeine:caffeine",
                    "The near cache needs Caffeine, which is not on the class path",
                    "Add com.github.ben-manes.caffeine:caffeine, or turn the cache off with cacheSize(0)",
                    e);
        }
    }

    /** Returns what measures time. A step of the system's clock takes none, but the clock of a test does whatever it says. */
    private static LongSupplier elapsed(InstantSource source, StoreClock clock) {
        return StoreClock.isOfSystem(source) ? System::nanoTime : () -> TimeUnit.MILLISECONDS.toNanos(clock.now());
    }

    private static Store assemble(Engine engine, RowCache cache, StoreSettings settings) {
        StoreClock clock = engine.clock();
        Completions completions = new Completions(settings.futureExecutor());
        StoreContext context = context(settings, completions);
        EventDispatcher dispatcher = new EventDispatcher(eventValues(context), settings.eventHistory(), orders(engine));
        context.bulk().letIn(dispatcher::isTelling);
        Quotas quotas = new Quotas();
        Retentions retentions = new Retentions(settings.retention(), settings.groups());
        Meter meter = context.meter();
        CommitPipeline pipeline =
                new CommitPipeline(engine, cache, dispatcher, quotas, retentions.retained(), meter, completions);
        boolean onTime = settings.expiryOnTime();
        DeliveryService deliveries =
                new DeliveryService(engine, pipeline, settings.expiry(), elapsed(settings.clock(), clock));
        ClockLeapRepair mending = new ClockLeapRepair(engine, pipeline, deliveries::hasten);
        ExpiredPurge purge = new ExpiredPurge(engine, pipeline, meter, mending);
        EarlyPurge early = new EarlyPurge(engine, purge);
        Runnable rangeRead = onTime ? early::rangeRead : () -> {};
        StoreReads reads = new StoreReads(engine, cache, pipeline.renewals(), rangeRead);
        ExpiryTimer timer = new ExpiryTimer(
                engine,
                purge,
                () -> onTime
                        && (dispatcher.hasListeners() || deliveries.queues().isAnyActive()));
        PurgeRun regular =
                new PurgeRun(purge, reads, settings.groups(), retentions, () -> StoreThreads.revive(timer, deliveries));
        PurgeSchedule schedule = new PurgeSchedule(regular, settings.purgeInterval());
        StoreThreads threads = new StoreThreads(timer, deliveries, schedule);
        dispatcher.onListener(timer::start);
        pipeline.start(threads);
        List<BackgroundWork> background = List.of(timer, early, context.bulk(), schedule);
        AtomicBoolean closed = new AtomicBoolean();
        StoreAccess access = new StoreAccess(engine, reads, pipeline, dispatcher, context, closed);
        return new DefaultStore(
                engine,
                access,
                pipeline.joins() ? new JoiningAccess(access, pipeline) : null,
                dispatcher,
                pipeline,
                regular,
                new DurableExpiry(access, engine.deliveries(), pipeline, deliveries, timer, ""),
                new StoreReports(engine, context, quotas, dispatcher, cache),
                threads,
                new Shutdown(closed, pipeline, dispatcher, deliveries, background, settings.closeTimeout()));
    }

    /** On a shared engine, numbers rise within a namespace, or within a group outside namespaces. */
    private static @Nullable UnaryOperator<String> orders(Engine engine) {
        if (!engine.info().isShared()) {
            return null;
        }
        return watched -> {
            String namespace = Namespaces.of(watched);
            return namespace == null ? watched : Namespaces.prefix(namespace);
        };
    }

    private static EventValues eventValues(StoreContext context) {
        return new EventValues(groups(context.groups(), GroupSettings::eventValues), context.values()::open);
    }

    private static StoreContext context(StoreSettings settings, Completions completions) {
        Meter meter = new Meter(groups(settings.groups(), GroupSettings::statistics));
        ValueSettings values = new ValueSettings(
                new Codecs(settings.codecs()),
                settings.maxValueSize(),
                settings.unreadableValues(),
                settings.encrypted(),
                settings.cipher(),
                new LongAdder());
        return new StoreContext(values, settings.groups(), meter, new BulkThread(completions), completions);
    }
}
