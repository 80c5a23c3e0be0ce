package dev.ttlstore.jcache;

import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Stream;

import javax.cache.event.EventType;
import javax.cache.management.CacheStatisticsMXBean;

import org.jspecify.annotations.Nullable;

/** What this instance has done with a cache since its statistics were cleared. Counts only while it is enabled. */
final class CacheStatistics implements CacheStatisticsMXBean {

    private static final float NANOS_PER_MICRO = 1_000;

    private final LongAdder hits = new LongAdder();
    private final LongAdder misses = new LongAdder();
    private final LongAdder puts = new LongAdder();
    private final LongAdder removals = new LongAdder();
    private final LongAdder getNanos = new LongAdder();
    private final LongAdder putNanos = new LongAdder();
    private final LongAdder removeNanos = new LongAdder();
    private volatile boolean enabled;

    void enable(boolean on) {
        enabled = on;
    }

    /** Counts reads since a time of {@link System#nanoTime}. */
    void got(long hit, long missed, long start) {
        if (enabled) {
            hits.add(hit);
            misses.add(missed);
            getNanos.add(System.nanoTime() - start);
        }
    }

    void got(boolean hit, long start) {
        got(hit ? 1 : 0, hit ? 0 : 1, start);
    }

    void put(long entries, long start) {
        if (enabled && entries > 0) {
            puts.add(entries);
            putNanos.add(System.nanoTime() - start);
        }
    }

    void removed(long entries, long start) {
        if (enabled && entries > 0) {
            removals.add(entries);
            removeNanos.add(System.nanoTime() - start);
        }
    }

    /** Counts what was changed; null if nothing was. */
    void changed(@Nullable EntryChange<?, ?> change, long start) {
        if (change == null) {
            return;
        }
        if (change.type() == EventType.REMOVED) {
            removed(1, start);
        } else {
            put(1, start);
        }
    }

    @Override
    public void clear() {
        Stream.of(hits, misses, puts, removals, getNanos, putNanos, removeNanos).forEach(LongAdder::reset);
    }

    @Override
    public long getCacheHits() {
        return hits.sum();
    }

    @Override
    public float getCacheHitPercentage() {
        return percentage(getCacheHits());
    }

    @Override
    public long getCacheMisses() {
        return misses.sum();
    }

    @Override
    public float getCacheMissPercentage() {
        return percentage(getCacheMisses());
    }

    private float percentage(long some) {
        long gets = getCacheGets();
        return gets == 0 ? 0 : 100f * some / gets;
    }

    @Override
    public long getCacheGets() {
        return getCacheHits() + getCacheMisses();
    }

    @Override
    public long getCachePuts() {
        return puts.sum();
    }

    @Override
    public long getCacheRemovals() {
        return removals.sum();
    }

    /** Returns zero: a store keeps entries until they expire. */
    @Override
    public long getCacheEvictions() {
        return 0;
    }

    @Override
    public float getAverageGetTime() {
        return average(getNanos, getCacheGets());
    }

    @Override
    public float getAveragePutTime() {
        return average(putNanos, getCachePuts());
    }

    @Override
    public float getAverageRemoveTime() {
        return average(removeNanos, getCacheRemovals());
    }

    /** Returns microseconds. */
    private static float average(LongAdder nanos, long count) {
        return count == 0 ? 0 : nanos.sum() / NANOS_PER_MICRO / count;
    }
}
