package dev.ttlstore.internal.store;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;

import dev.ttlstore.CacheActivity;
import dev.ttlstore.GroupActivity;
import dev.ttlstore.SharedStats;
import dev.ttlstore.StoreActivity;
import dev.ttlstore.StoreStats;
import dev.ttlstore.engine.ClockLeap;
import dev.ttlstore.engine.Engine;
import dev.ttlstore.engine.EngineInfo;
import dev.ttlstore.engine.EngineStats;
import dev.ttlstore.engine.EngineStats.NodeState;
import dev.ttlstore.engine.EngineStats.Totals;
import dev.ttlstore.engine.Quotas;
import dev.ttlstore.engine.Row;
import dev.ttlstore.internal.access.StoreContext;
import dev.ttlstore.internal.base.Meter;
import dev.ttlstore.internal.cache.RowCache;
import dev.ttlstore.internal.watch.EventDispatcher;

/**
 * Puts together what a store tells of itself.
 *
 * @param engine has the figures of the data
 * @param context counts reads and writes
 * @param quotas counts refusals
 * @param dispatcher counts what becomes of events
 * @param cache counts hits and misses
 */
record StoreReports(Engine engine, StoreContext context, Quotas quotas, EventDispatcher dispatcher, RowCache cache) {

    /** Returns the figures of the data at a time. */
    StoreStats stats(long now) {
        EngineInfo info = engine.info();
        EngineStats stats = engine.stats(now);
        Totals totals = stats.totals();
        NodeState node = stats.node();
        ClockLeap leap = engine.clock().leap();
        return new StoreStats(
                info.name(),
                info.path(),
                totals.live(),
                totals.expired(),
                totals.retained(),
                stats.sizes().file(),
                stats.sizes().wal(),
                Duration.ofMillis(Math.max(0, now - engine.nextDue())),
                leap == null ? null : Duration.ofMillis(leap.millis()),
                node == null ? null : shared(node));
    }

    private static SharedStats shared(NodeState state) {
        return new SharedStats(
                state.node(),
                state.others(),
                state.notified(),
                Duration.ofMillis(state.behind()),
                Duration.ofMillis(state.oldestSnapshot()),
                state.hotRatio(),
                state.lockedCommits());
    }

    /** Returns what has happened since the store was opened. */
    StoreActivity activity() {
        RowCache.Counts cached = cache.counts();
        Meter meter = context.meter();
        long lastPurge = meter.lastPurge();
        Map<String, GroupActivity> groups = new HashMap<>();
        meter.groups().forEach((name, counts) -> groups.put(name, counts.activity()));
        return new StoreActivity(
                meter.all().activity(),
                Map.copyOf(groups),
                meter.commits(),
                meter.writes(),
                meter.purges(),
                lastPurge == Row.NEVER ? null : Instant.ofEpochMilli(lastPurge),
                quotas.refusals(),
                dispatcher.failures(),
                Duration.ofNanos(dispatcher.listenerNanos()),
                dispatcher.watchDrops(),
                context.values().unreadable().sum(),
                new CacheActivity(cached.hits(), cached.misses(), cached.evictions(), cached.bytes()));
    }
}
