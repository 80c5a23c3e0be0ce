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

import com.fasterxml.jackson.annotation.JsonUnwrapped;

import dev.ttlstore.Group;
import dev.ttlstore.GroupActivity;
import dev.ttlstore.Quota;
import dev.ttlstore.Scope;
import dev.ttlstore.SharedStats;
import dev.ttlstore.Store;
import dev.ttlstore.StoreActivity;
import dev.ttlstore.StoreStats;
import dev.ttlstore.Usage;
import dev.ttlstore.expiry.ExpirySubscriber;

/**
 * Shows a store and its groups, purges the store, and deletes groups. Purging and deleting need unrestricted access.
 * The endpoint shows the names of groups, but no keys or values. Its cost grows with the size of the store.
 * Thread-safe.
 *
 * <pre class="language-shell">{@code
 * curl http://localhost:8080/actuator/store
 * curl http://localhost:8080/actuator/store/invites
 * }</pre>
 *
 * @since 0.1
 * @see StoreEndpointWebExtension
 * @see dev.ttlstore.spring.health.StoreHealthIndicator
 */
@Endpoint(id = "store", defaultAccess = Access.READ_ONLY)
public final class StoreEndpoint {

    /** The maximum number of groups in the answer. */
    static final int MAX_GROUPS = 100;

    private final Store store;
    private final List<String> scopes;
    private final InstantSource clock;

    /**
     * Creates the endpoint.
     *
     * @param store the store
     * @param scopes the namespaces of the scopes to show
     * @param clock the store's clock
     */
    public StoreEndpoint(Store store, Collection<String> scopes, InstantSource clock) {
        this.store = store;
        this.scopes = List.copyOf(scopes);
        this.clock = clock;
    }

    /**
     * Describes the store.
     *
     * @return its contents and its activity
     */
    @ReadOperation
    public StoreDescriptor store() {
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
                contents(store.stats()),
                store.activity(),
                groups.stream().limit(MAX_GROUPS).toList(),
                groups.size() > MAX_GROUPS,
                usages,
                store.expirySubscribers());
    }

    private static Contents contents(StoreStats stats) {
        return new Contents(
                stats.engine(),
                stats.path() == null ? null : stats.path().toString(),
                stats.entries(),
                stats.expired(),
                stats.retained(),
                stats.fileBytes(),
                stats.walBytes(),
                stats.purgeLag(),
                stats.shared());
    }

    /**
     * Describes a group.
     *
     * @param path the full name, which may contain slashes
     * @return the number of its entries and when they expire, or null if it has none
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
     * Removes expired entries.
     *
     * @return the number of removed entries
     */
    @WriteOperation
    public Removal purge() {
        return new Removal(store.purgeExpired());
    }

    /**
     * Deletes a group with all its entries.
     *
     * @param path the full name, which may contain slashes
     * @return the number of removed entries
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
            throw new InvalidEndpointRequestException("The name is not a valid group name", e.getMessage(), e);
        }
    }

    /** The limits of the histogram of expiry times. */
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
     * Describes a store.
     *
     * @param contents what is in it; its parts are those of the answer
     * @param activity the activity since the start
     * @param groups the names of the first 100 groups
     * @param moreGroups whether there are more
     * @param scopes the usage and quotas of declared scopes
     * @param subscribers the expiry subscribers and their progress
     */
    public record StoreDescriptor(
            @JsonUnwrapped Contents contents,
            StoreActivity activity,
            List<String> groups,
            boolean moreGroups,
            Map<String, ScopeDescriptor> scopes,
            List<ExpirySubscriber> subscribers)
            implements OperationResponseBody {}

    /**
     * Describes what is in a store.
     *
     * @param engine the engine and its version
     * @param path the file, or null if the store is in memory or in a shared database
     * @param entries the number of live entries
     * @param expired the number of expired entries that no purge has removed yet
     * @param retained the number of expired entries that are kept for an audit
     * @param fileBytes the size of the file
     * @param walBytes the size of the write-ahead log
     * @param purgeLag how late the purge is
     * @param shared figures of a database that instances share, or null if the store is embedded
     */
    public record Contents(
            String engine,
            @Nullable String path,
            long entries,
            long expired,
            long retained,
            long fileBytes,
            long walBytes,
            Duration purgeLag,
            @Nullable SharedStats shared) {}

    /**
     * Describes a scope.
     *
     * @param usage the usage
     * @param quota the limits
     */
    public record ScopeDescriptor(Usage usage, Quota quota) {}

    /**
     * Describes a group.
     *
     * @param name the full name
     * @param entries the number of live entries
     * @param permanent the number of entries that do not expire
     * @param expiring the number of entries that expire within each limit, each counted once
     * @param activity the activity since the start, or null if the group is not counted separately
     */
    public record GroupDescriptor(
            String name,
            long entries,
            long permanent,
            Map<String, Long> expiring,
            @Nullable GroupActivity activity) implements OperationResponseBody {}

    /**
     * Describes a removal.
     *
     * @param removed the number of removed entries
     */
    public record Removal(long removed) implements OperationResponseBody {}
}
