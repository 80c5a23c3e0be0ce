package dev.ttlstore.spring.cache;

import org.jspecify.annotations.Nullable;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.binder.cache.CacheMeterBinder;

/**
 * Meters of one cache. They count what this instance does.
 *
 * <pre>{@code
 * void measure(StoreCache books, MeterRegistry registry) {
 *     new StoreCacheMetrics(books, List.of()).bindTo(registry);
 * }
 * }</pre>
 *
 * @since 0.1
 * @see StoreCache
 */
public final class StoreCacheMetrics extends CacheMeterBinder<StoreCache> {

    /**
     * Creates the meters.
     *
     * @param cache the cache
     * @param tags tags of all meters
     */
    public StoreCacheMetrics(StoreCache cache, Iterable<Tag> tags) {
        super(cache, cache.getName(), tags);
    }

    /** Unknown: counting the live entries would read them all. */
    @Override
    protected @Nullable Long size() {
        return null;
    }

    @Override
    protected long hitCount() {
        StoreCache cache = getCache();
        return cache == null ? 0 : cache.hits();
    }

    @Override
    protected Long missCount() {
        StoreCache cache = getCache();
        return cache == null ? 0L : cache.misses();
    }

    /** Unknown: entries expire, which nobody has to notice. */
    @Override
    protected @Nullable Long evictionCount() {
        return null;
    }

    @Override
    protected long putCount() {
        StoreCache cache = getCache();
        return cache == null ? 0 : cache.puts();
    }

    @Override
    protected void bindImplementationSpecificMetrics(MeterRegistry registry) {
        StoreCache cache = getCache();
        if (cache != null) {
            FunctionCounter unused = FunctionCounter.builder("cache.removals", cache, StoreCache::removals)
                    .tags(getTagsWithCacheName())
                    .description("The number of entries removed by the application")
                    .register(registry);
        }
    }
}
