package dev.ttlstore.spring.autoconfigure;

import java.time.Duration;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

import dev.ttlstore.Durability;
import dev.ttlstore.UnreadableValues;

/**
 * Configuration properties of the store.
 *
 * @param path File that the store is kept in. A relative path starts at the working directory; missing folders are created.
 * @param inMemory Whether to keep the store in memory, to be lost when the application stops, rather than in a file.
 * @param purgeInterval Pause between two runs of the purge job. Zero or '-' turns the job off.
 * @param unreadableValues What reads do with a value that its codec cannot read, as after an incompatible change of its class.
 * @param durability What a write has survived when it returns: 'normal' a killed process, 'full' a power cut as well.
 * @param lockTimeout How long the start waits while another process owns the file. Zero to not wait.
 * @param closeTimeout How long the stop waits for listeners, transactions and expiry methods that are running. Zero for nobody.
 * @param maxValueSize Largest value that is accepted, once it is encoded, up to 999,000,000 bytes.
 * @param retention How long expired entries are kept, invisible, for an audit. Zero to keep none.
 * @param groups What differs for single groups, by full name: that of a group in a scope is 'namespace:name', in brackets.
 * @param scopes Scopes that the application knows of, by namespace.
 * @param encryption Settings of values encrypted at rest.
 * @param purge Settings of the purge job.
 * @param events Settings of application events.
 * @param expiry Settings of what is done when entries expire.
 * @param nearCache Settings of the near cache.
 * @param sqlite Settings of the embedded database.
 */
@ConfigurationProperties("store")
public record StoreProperties(
        @DefaultValue("data/store.db") String path,
        @DefaultValue("false") boolean inMemory,
        @DefaultValue("60s") @Interval @Nullable Duration purgeInterval,
        @DefaultValue("fail") UnreadableValues unreadableValues,
        @DefaultValue("normal") Durability durability,
        @DefaultValue("5s") Duration lockTimeout,
        @DefaultValue("30s") Duration closeTimeout,
        @DefaultValue("1MB") DataSize maxValueSize,
        @DefaultValue("0s") Duration retention,
        @DefaultValue Map<String, Group> groups,
        @DefaultValue Map<String, Scope> scopes,
        @DefaultValue Encryption encryption,
        @DefaultValue Purge purge,
        @DefaultValue Events events,
        @DefaultValue Expiry expiry,
        @DefaultValue NearCache nearCache,
        @DefaultValue Sqlite sqlite) {

    /**
     * Settings of one group.
     *
     * @param ttl How long entries live that are written without a ttl. By default they live for good.
     * @param metrics Whether to count the group by itself, as a cache.
     */
    public record Group(
            @Nullable Duration ttl, @DefaultValue("false") boolean metrics) {}

    /**
     * Settings of one scope.
     *
     * @param quota What the scope may take.
     */
    public record Scope(@DefaultValue Quota quota) {}

    /**
     * What a scope may take.
     *
     * @param maxKeys Number of entries. Zero for no limit.
     * @param maxGroups Number of groups that have entries. Zero for no limit.
     * @param maxBytes Size of all keys and encoded values. Zero for no limit.
     */
    public record Quota(
            @DefaultValue("0") long maxKeys,
            @DefaultValue("0") long maxGroups,
            @DefaultValue("0B") DataSize maxBytes) {}

    /**
     * Settings of values encrypted at rest.
     *
     * @param groups Groups whose values are encrypted: by full name, with '*:' and a name that group of every scope, with
     *     '*' all groups. By default none is.
     * @param keyset Location of the keys, a Tink keyset in JSON, such as 'file:/etc/app/keyset.json'.
     * @param createKeyset Whether to make the keyset at the start when its file does not exist. It is not made while the
     *     store has entries in groups to be encrypted, which it would not open.
     * @param readPlain Whether values that are not encrypted are read as they are, for the time of a migration.
     */
    public record Encryption(
            @DefaultValue List<String> groups,
            @Nullable String keyset,
            @DefaultValue("false") boolean createKeyset,
            @DefaultValue("false") boolean readPlain) {}

    /**
     * Settings of the purge job.
     *
     * @param enabled Whether to schedule the purge job. Expiry is exact without it, too: it gives back space and tells of
     *     what expired.
     */
    public record Purge(@DefaultValue("true") boolean enabled) {}

    /**
     * Settings of application events.
     *
     * @param enabled Whether to publish the changes of the store as application events.
     * @param groups Full names of the groups whose changes are published. By default those of all groups are.
     */
    public record Events(
            @DefaultValue("true") boolean enabled,
            @DefaultValue List<String> groups) {}

    /**
     * Settings of what is done when entries expire.
     *
     * @param concurrency Number of calls of one subscriber's method that run at the same time, 1 to 1,000.
     * @param maxAttempts Number of times that an expiry is tried before it becomes a dead letter.
     * @param firstDelay Pause after the first failure, more or less. It doubles with each further one.
     * @param maxDelay Longest pause after a failure, at least the first.
     * @param timeout How long a call may take until its thread is interrupted and the attempt counts as failed.
     * @param maxBacklog Number of expiries that are kept, more or less, for a subscriber whose method has not been
     *     there for five minutes. Beyond that the oldest are dropped.
     * @param onTime Whether listeners, watches and subscribers are told of an expiry as soon as the entry has expired, rather
     *     than by the next purge.
     */
    public record Expiry(
            @DefaultValue("8") int concurrency,
            @DefaultValue("10") int maxAttempts,
            @DefaultValue("1s") Duration firstDelay,
            @DefaultValue("5m") Duration maxDelay,
            @DefaultValue("1m") Duration timeout,
            @DefaultValue("100000") int maxBacklog,
            @DefaultValue("true") boolean onTime) {}

    /**
     * Settings of the near cache.
     *
     * @param maxSize Memory that the near cache may take, up to half of the maximum heap. Zero for no cache. By default 32MB,
     *     or an eighth of the maximum heap where that is less.
     */
    public record NearCache(@Nullable DataSize maxSize) {}

    /**
     * Settings of the embedded database.
     *
     * @param readers Number of connections that read at the same time, 1 to 64. By default as many as there are processors,
     *     and at least 2.
     * @param pageCacheSize Memory that each connection may take to keep pages of the file, 64KB to 1GB.
     * @param mmapSize How much of the file is mapped into memory. Zero for nothing, since an I/O error in a mapped file ends
     *     the JVM.
     * @param walLimit Size of the write-ahead log, at least 1MB, beyond which a writer helps to fold it into the file.
     */
    public record Sqlite(
            @Nullable Integer readers,
            @DefaultValue("16MB") DataSize pageCacheSize,
            @DefaultValue("0B") DataSize mmapSize,
            @DefaultValue("64MB") DataSize walLimit) {}
}
