package dev.ttlstore.spring.metrics;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.Quota;
import dev.ttlstore.SharedStats;
import dev.ttlstore.Store;
import dev.ttlstore.StoreActivity;
import dev.ttlstore.StoreStats;
import dev.ttlstore.Usage;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.TimeGauge;
import io.micrometer.core.instrument.binder.MeterBinder;

import static java.util.concurrent.TimeUnit.MILLISECONDS;

/**
 * Meters of a store. All names start with {@code store.}. Activity is counted as it happens. The contents of the
 * store are read at most every ten seconds. There are few tags: causes, results, declared scopes and expiry
 * subscribers, but no keys. Thread-safe.
 *
 * <p>The starter binds the stores of the application. For another store:
 *
 * <pre>{@code
 * MeterRegistry registry = new SimpleMeterRegistry();
 * new StoreMetrics(store, Tags.of("name", "archive"), List.of()).bindTo(registry);
 * }</pre>
 *
 * @since 0.1
 * @see StoreGroupMetrics
 * @see dev.ttlstore.spring.health.StoreHealthIndicator
 */
public final class StoreMetrics implements MeterBinder {

    private final Store store;
    private final Tags tags;
    private final List<String> scopes;

    /** The readings of each registry. Meters reference them weakly. */
    private final List<StoreReadings> bound = new CopyOnWriteArrayList<>();

    /**
     * Creates the meters.
     *
     * @param store the store
     * @param tags the tags of all meters, such as a name that distinguishes several stores; may be empty
     * @param scopes the namespaces of the scopes to measure; few, because each has its own meters
     */
    public StoreMetrics(Store store, Iterable<Tag> tags, Collection<String> scopes) {
        this.store = store;
        this.tags = Tags.of(tags);
        this.scopes = List.copyOf(scopes);
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        StoreReadings readings =
                new StoreReadings(store, scopes, registry.config().clock());
        bound.add(readings);
        Binding binding = new Binding(registry, readings);
        bindCounts(binding);
        bindContents(binding);
        scopes.forEach(scope -> bindScope(binding, scope));
        readings.onShared(binding::requireShared);
        readings.onSubscriber(new SubscriberMeters(registry, tags, readings)::require);
        store.observe(new WorkMeters(registry, tags));
    }

    /** Measures the expiry subscribers that exist now. Later ones are found when meters are read. */
    public void findSubscribers() {
        bound.forEach(StoreReadings::findSubscribers);
    }

    private void bindCounts(Binding to) {
        to.count("store.gets", "Reads of an entry", a -> a.entries().hits(), "result", "hit");
        to.count("store.gets", "Reads of an entry", a -> a.entries().misses(), "result", "miss");
        to.count("store.puts", "Values put", a -> a.entries().puts());
        to.count("store.removals", "Values removed", a -> a.entries().deleted(), "cause", "deleted");
        to.count("store.removals", "Values removed", a -> a.entries().expired(), "cause", "expired");
        to.count("store.removals", "Values removed", a -> a.entries().replaced(), "cause", "replaced");
        to.count("store.cache.gets", "Reads of the near cache", a -> a.cache().hits(), "result", "hit");
        to.count("store.cache.gets", "Reads of the near cache", a -> a.cache().misses(), "result", "miss");
        to.count("store.cache.evictions", "Entries evicted from the near cache to free memory", a -> a.cache()
                .evictions());
        to.count("store.quota.rejections", "Writes refused because of a quota", StoreActivity::quotaRefusals);
        to.count("store.listener.failures", "Exceptions thrown by listeners", StoreActivity::listenerFailures);
        TimeGauge.builder("store.listener.running", to.readings, MILLISECONDS, readings -> readings.activity()
                        .listenerRunning()
                        .toMillis())
                .description("Time that the current listener call has been running while writers wait")
                .tags(tags)
                .register(to.registry);
        to.count("store.watch.drops", "Events dropped because watches are read too slowly", StoreActivity::watchDrops);
        to.count("store.unreadable", "Reads of values that could not be decoded", StoreActivity::unreadable);
        to.gauge("store.cache.size", "Size of the near cache", "bytes", readings -> readings.activity()
                .cache()
                .bytes());
    }

    private void bindContents(Binding to) {
        to.stat("store.entries", "Live entries", null, StoreStats::entries);
        to.stat("store.expired", "Expired entries that no purge has removed yet", null, StoreStats::expired);
        to.stat("store.file.size", "Size of the file", "bytes", StoreStats::fileBytes);
        to.stat("store.wal.size", "Size of the write-ahead log", "bytes", StoreStats::walBytes);
        TimeGauge.builder(
                        "store.purge.lag",
                        to.readings,
                        MILLISECONDS,
                        readings -> readings.of(
                                reading -> reading.stats().purgeLag().toMillis()))
                .description("Time that the purge is late")
                .tags(tags)
                .register(to.registry);
    }

    private void bindShared(Binding to) {
        to.shared("store.nodes.other", "Other instances that listen for notifications", SharedStats::otherNodes);
        to.shared("store.updates.hot", "Share of the updates of entries that changed no index", shared -> {
            Double ratio = shared.hotRatio();
            return ratio == null ? Double.NaN : ratio;
        });
        to.time("store.log.lag", "Time for which commits of other instances may be unknown", SharedStats::lag);
        to.time(
                "store.snapshot.oldest",
                "Time for which the oldest transaction has kept the server from vacuuming",
                SharedStats::oldestSnapshot);
    }

    private void bindScope(Binding to, String scope) {
        Quota quota = store.scope(scope).quota();
        to.usage(scope, "keys", Usage::keys, quota.maxKeys());
        to.usage(scope, "groups", Usage::groups, quota.maxGroups());
        to.usage(scope, "bytes", Usage::bytes, quota.maxBytes());
    }

    /** A registry, and the readings of its meters. */
    private final class Binding {

        private final MeterRegistry registry;
        private final StoreReadings readings;

        /** Whether the meters of a shared database exist. */
        private final AtomicBoolean shared = new AtomicBoolean();

        /** The reasons that have a meter. */
        private final Set<String> reasons = ConcurrentHashMap.newKeySet();

        Binding(MeterRegistry registry, StoreReadings readings) {
            this.registry = registry;
            this.readings = readings;
        }

        /** Registers the meters of a shared database, unless they exist. */
        void requireShared(SharedStats stats) {
            if (shared.compareAndSet(false, true)) {
                bindShared(this);
            }
            stats.lockedCommits().keySet().stream().filter(reasons::add).forEach(this::locked);
        }

        private void locked(String reason) {
            FunctionCounter.builder(
                            "store.commits.locked",
                            readings,
                            from -> from.ofShared(stats -> stats.lockedCommits().getOrDefault(reason, 0L)))
                    .description("Commits that the database has not decided, but this instance under locks")
                    .tags(tags.and("reason", reason))
                    .register(registry);
        }

        void count(String name, String description, ToDoubleFunction<StoreActivity> value, String... more) {
            FunctionCounter.builder(name, readings, from -> value.applyAsDouble(from.activity()))
                    .description(description)
                    .tags(tags.and(more))
                    .register(registry);
        }

        void stat(String name, String description, @Nullable String unit, ToDoubleFunction<StoreStats> value) {
            gauge(name, description, unit, from -> from.of(reading -> value.applyAsDouble(reading.stats())));
        }

        void shared(String name, String description, ToDoubleFunction<SharedStats> value) {
            gauge(name, description, null, from -> from.ofShared(value));
        }

        void time(String name, String description, Function<SharedStats, Duration> value) {
            TimeGauge.builder(
                            name,
                            readings,
                            MILLISECONDS,
                            from -> from.ofShared(shared -> value.apply(shared).toMillis()))
                    .description(description)
                    .tags(tags)
                    .register(registry);
        }

        void usage(String scope, String resource, ToDoubleFunction<Usage> value, long limit) {
            gauge(
                    "store.scope.usage",
                    "Usage of a scope",
                    null,
                    from -> from.of(reading -> value.applyAsDouble(reading.usage(scope))),
                    "scope",
                    scope,
                    "resource",
                    resource);
            if (limit > 0) {
                gauge(
                        "store.scope.limit",
                        "Limit of a scope",
                        null,
                        unused -> limit,
                        "scope",
                        scope,
                        "resource",
                        resource);
            }
        }

        void gauge(
                String name,
                String description,
                @Nullable String unit,
                ToDoubleFunction<StoreReadings> value,
                String... more) {
            Gauge.builder(name, readings, value)
                    .description(description)
                    .baseUnit(unit)
                    .tags(tags.and(more))
                    .register(registry);
        }
    }
}
