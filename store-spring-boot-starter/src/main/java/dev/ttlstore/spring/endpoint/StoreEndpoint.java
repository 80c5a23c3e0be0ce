package dev.ttlstore.spring.endpoint;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.InvalidEndpointRequestException;
import org.springframework.boot.actuate.endpoint.OperationResponseBody;
import org.springframework.boot.actuate.endpoint.annotation.DeleteOperation;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;

import dev.ttlstore.Group;
import dev.ttlstore.GroupActivity;
import dev.ttlstore.Quota;
import dev.ttlstore.Scope;
import dev.ttlstore.Store;
import dev.ttlstore.StoreActivity;
import dev.ttlstore.StoreStats;
import dev.ttlstore.Usage;
import dev.ttlstore.expiry.ExpirySubscriber;

/**
 * Shows a store and its groups, purges, and deletes groups; the latter two with unrestricted access alone. Names of groups are
 * shown, keys and values never. What it shows costs more the more the store holds. Thread-safe.
 */
@Endpoint(id = "store", defaultAccess = Access.READ_ONLY)
public final class StoreEndpoint {

    /** How many groups are listed at most. */
    static final int MAX_GROUPS = 100;

    private final Store store;
    private final List<String> scopes;
    private final InstantSource clock;

    /**
     * Creates the endpoint.
     *
     * @param store what to show
     * @param scopes the namespaces whose usage is shown
     * @param clock the store's clock
     */
    public StoreEndpoint(Store store, Collection<String> scopes, InstantSource clock) {
        this.store = store;
        this.scopes = List.copyOf(scopes);
        this.clock = clock;
    }

    /**
     * Shows the store.
     *
     * @return what it holds and what it has done
     */
    @ReadOperation
    public StoreDescriptor store() {
        StoreStats stats = store.stats();
        List<String> groups;
        try (var names = store.groups()) {
            groups = names.limit(MAX_GROUPS + 1L).toList();
        }
        Map<String, ScopeDescriptor> usages = new TreeMap<>();
        for (String namespace : scopes) {
            Scope scope = store.scope(namespace);
            usages.put(namespace, new ScopeDescriptor(scope.usage(), scope.quota()));
        }
        return new StoreDescriptor(
                stats.engine(),
                stats.path() == null ? null : stats.path().toString(),
                stats.entries(),
                stats.expired(),
                stats.retained(),
                stats.fileBytes(),
                stats.walBytes(),
                stats.purgeLag(),
                store.activity(),
                groups.stream().limit(MAX_GROUPS).toList(),
                groups.size() > MAX_GROUPS,
                usages,
                store.expirySubscribers());
    }

    /**
     * Shows a group.
     *
     * @param path its full name, which may have slashes
     * @return how many entries it has and when they end; null if it has none
     */
    @ReadOperation
    public @Nullable GroupDescriptor group(@Selector(match = Selector.Match.ALL_REMAINING) String... path) {
        String group = name(path);
        Group<byte[]> found = named(group);
        Instant now = clock.instant();
        long entries = found.count();
        if (entries == 0) {
            return null;
        }
        Map<String, Long> expiring = new LinkedHashMap<>();
        long left = entries;
        for (Horizon horizon : Horizon.values()) {
            long later = Math.min(left, found.count(now.plus(horizon.length)));
            expiring.put(horizon.label, left - later);
            left = later;
        }
        long permanent = Math.min(left, found.count(Instant.MAX));
        expiring.put("later", left - permanent);
        return new GroupDescriptor(
                group, entries, permanent, expiring, store.activity().groups().get(group));
    }

    /**
     * Removes what has expired, now.
     *
     * @return how many entries were removed
     */
    @WriteOperation
    public Removal purge() {
        return new Removal(store.purgeExpired());
    }

    /**
     * Deletes a group with all its entries.
     *
     * @param path its full name, which may have slashes
     * @return how many entries were removed
     */
    @DeleteOperation
    public Removal delete(@Selector(match = Selector.Match.ALL_REMAINING) String... path) {
        return new Removal(named(name(path)).clear());
    }

    private static String name(String... path) {
        return String.join("/", path);
    }

    private Group<byte[]> named(String group) {
        try {
            return store.group(group, byte[].class);
        } catch (IllegalArgumentException e) {
            throw new InvalidEndpointRequestException("The name cannot be that of a group", e.getMessage(), e);
        }
    }

    /** How far the histogram looks. */
    private enum Horizon {
        MINUTE("within a minute", Duration.ofMinutes(1)),
        HOUR("within an hour", Duration.ofHours(1)),
        DAY("within a day", Duration.ofDays(1)),
        WEEK("within a week", Duration.ofDays(7));

        private final String label;
        private final Duration length;

        Horizon(String label, Duration length) {
            this.label = label;
            this.length = length;
        }
    }

    /**
     * A store.
     *
     * @param engine the engine and its version
     * @param path the file; null when it is in memory
     * @param entries the number of live entries
     * @param expired the number of expired ones that no purge has removed yet
     * @param retained the number of expired ones that are kept for an audit
     * @param fileBytes the size of the file
     * @param walBytes the size of the log beside it
     * @param purgeLag how long the purge is behind
     * @param activity what has been done since the start
     * @param groups the names of the first 100 groups
     * @param moreGroups whether there are more
     * @param scopes what declared scopes take and may take
     * @param subscribers the subscribers to expiries, and how far each has come
     */
    public record StoreDescriptor(
            String engine,
            @Nullable String path,
            long entries,
            long expired,
            long retained,
            long fileBytes,
            long walBytes,
            Duration purgeLag,
            StoreActivity activity,
            List<String> groups,
            boolean moreGroups,
            Map<String, ScopeDescriptor> scopes,
            List<ExpirySubscriber> subscribers)
            implements OperationResponseBody {}

    /**
     * A scope.
     *
     * @param usage what it takes
     * @param quota what it may take
     */
    public record ScopeDescriptor(Usage usage, Quota quota) {}

    /**
     * A group.
     *
     * @param name its full name
     * @param entries the number of live entries
     * @param permanent the number of those that do not expire
     * @param expiring how many of the others end when, each counted once
     * @param activity what has been done to its entries since the start; null unless it is counted by itself
     */
    public record GroupDescriptor(
            String name,
            long entries,
            long permanent,
            Map<String, Long> expiring,
            @Nullable GroupActivity activity) implements OperationResponseBody {}

    /**
     * What was removed.
     *
     * @param removed the number of entries
     */
    public record Removal(long removed) implements OperationResponseBody {}
}
