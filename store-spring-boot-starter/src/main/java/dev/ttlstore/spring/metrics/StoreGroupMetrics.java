package dev.ttlstore.spring.metrics;

import java.util.Objects;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.GroupActivity;
import dev.ttlstore.Store;
import dev.ttlstore.exception.StoreClosedException;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.binder.cache.CacheMeterBinder;

/**
 * Micrometer's cache meters for a group: {@code cache.gets}, {@code cache.puts} and {@code cache.evictions}, which
 * counts expired entries. The tag {@code cache} has the group's name. There is no meter for the size, because it would
 * count the entries at each reading. Thread-safe.
 *
 * <pre>{@code
 * @Bean
 * StoreGroupMetrics invitesMetrics(Store store) {
 *     return new StoreGroupMetrics(store, "invites", Tags.empty());
 * }
 * }</pre>
 *
 * @since 0.1
 * @see StoreMetrics
 */
public final class StoreGroupMetrics extends CacheMeterBinder<Store> {

    private static final GroupActivity NOTHING = new GroupActivity(0, 0, 0, 0, 0, 0);

    private final String group;
    private volatile GroupActivity last = NOTHING;

    /**
     * Creates the meters.
     *
     * @param store the store
     * @param group the full name of a group that the store counts separately ({@code GroupSettings.withStatistics})
     * @param tags additional tags of the meters; may be empty
     * @throws IllegalArgumentException if the store does not count the group separately
     */
    public StoreGroupMetrics(Store store, String group, Iterable<Tag> tags) {
        super(store, Objects.requireNonNull(group, "'group' must not be null"), tags);
        if (!store.activity().groups().containsKey(group)) {
            throw new IllegalArgumentException("The store does not count the group '" + group
                    + "' separately; set 'store.groups." + group + ".metrics' to true");
        }
        this.group = group;
    }

    private GroupActivity activity() {
        Store store = getCache();
        if (store != null) {
            try {
                last = store.activity().groups().getOrDefault(group, NOTHING);
            } catch (StoreClosedException e) {
                return last; // the counts before the store was closed
            }
        }
        return last;
    }

    @Override
    protected @Nullable Long size() {
        return null;
    }

    @Override
    protected long hitCount() {
        return activity().hits();
    }

    @Override
    protected Long missCount() {
        return activity().misses();
    }

    @Override
    protected Long evictionCount() {
        return activity().expired();
    }

    @Override
    protected long putCount() {
        return activity().puts();
    }

    @Override
    protected void bindImplementationSpecificMetrics(MeterRegistry registry) {
        // A group has no further meters.
    }
}
