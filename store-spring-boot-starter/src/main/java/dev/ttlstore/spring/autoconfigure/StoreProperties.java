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
 * @param engine Engine that keeps the store: 'sqlite' in a file of this application, 'postgresql' in the database of the
 *     application's DataSource, which several instances share.
 * @param path File of the store. A relative path starts at the working directory. Missing folders are created.
 * @param copyTo Engine to copy the store to, instead of starting the application: 'postgresql' for a store in a file, 'sqlite'
 *     for one in PostgreSQL. For the command line.
 * @param inMemory Whether to keep the store in memory instead of a file. Its entries are lost when the application
 *     stops.
 * @param purgeInterval Interval between two runs of the purge job. Zero or '-' turns the job off.
 * @param unreadableValues Result of reading a value that its codec cannot decode, for example after an incompatible
 *     change of its class.
 * @param durability What a write survives once it returns: 'normal' a killed process, 'full' also a power cut.
 * @param lockTimeout Time to wait at start-up while another process owns the file. Zero fails at once.
 * @param closeTimeout Time to wait at shutdown for running listeners, transactions and expiry methods. Zero does not
 *     wait.
 * @param maxValueSize Maximum size of an encoded value, up to 999,000,000 bytes.
 * @param retention Time to keep expired entries for an audit, invisible to reads. Zero keeps none.
 * @param groups Settings of single groups, by full name. The full name of a group in a scope is 'namespace:name', in
 *     brackets.
 * @param scopes Declared scopes, by namespace.
 * @param encryption Settings of encryption at rest.
 * @param purge Settings of the purge job.
 * @param events Settings of application events.
 * @param expiry Settings of expiry handling.
 * @param nearCache Settings of the near cache.
 * @param cacheManager Settings of Spring's caches in the store.
 * @param lockProvider Settings of ShedLock's locks in the store.
 * @param rateLimits Settings of Bucket4j's buckets in the store.
 * @param idempotency Settings of requests that take effect once.
 * @param sqlite Settings of the embedded database.
 * @param postgresql Settings of the shared database.
 */
@ConfigurationProperties("store")
public record StoreProperties(
        @DefaultValue("sqlite") Engine engine,
        @DefaultValue("data/store.db") String path,
        @Nullable Engine copyTo,
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
        @DefaultValue CacheManager cacheManager,
        @DefaultValue LockProvider lockProvider,
        @DefaultValue RateLimits rateLimits,
        @DefaultValue Idempotency idempotency,
        @DefaultValue Sqlite sqlite,
        @DefaultValue PostgreSql postgresql) {

    /** The engine that keeps the store. */
    public enum Engine {

        /** The embedded engine, in a file of this application. */
        SQLITE,

        /** The shared engine, in the database of the application's {@code DataSource}. */
        POSTGRESQL
    }

    /**
     * Settings of one group.
     *
     * @param ttl Time to live of entries that are written without a ttl. By default they do not expire.
     * @param maxAge Age at which a purge deletes entries, counted from their creation. By default there is no limit.
     * @param ageIndex Whether to index the entries by their creation, so that sweeping by age costs what is old. A
     *     maximum age includes it.
     * @param retention Time to keep expired entries of the group for an audit, instead of store.retention.
     * @param eventValues Whether each put of the group is published with its value, which may be a secret.
     * @param metrics Whether to count the group separately, as a cache.
     */
    public record Group(
            @Nullable Duration ttl,
            @Nullable Duration maxAge,
            @DefaultValue("false") boolean ageIndex,
            @Nullable Duration retention,
            @DefaultValue("false") boolean eventValues,
            @DefaultValue("false") boolean metrics) {}

    /**
     * Settings of one scope.
     *
     * @param quota Limits of the scope.
     */
    public record Scope(@DefaultValue Quota quota) {}

    /**
     * Limits of a scope.
     *
     * @param maxKeys Maximum number of entries. Zero for no limit.
     * @param maxGroups Maximum number of groups that have entries. Zero for no limit.
     * @param maxBytes Maximum size of all keys and encoded values. Zero for no limit.
     */
    public record Quota(
            @DefaultValue("0") long maxKeys,
            @DefaultValue("0") long maxGroups,
            @DefaultValue("0B") DataSize maxBytes) {}

    /**
     * Settings of encryption at rest.
     *
     * @param groups Groups to encrypt, by full name. '*:' and a name stands for the group of that name in every
     *     scope, '*' for all groups. By default none is encrypted.
     * @param keyset Location of the keys, a Tink keyset in JSON, such as 'file:/etc/app/keyset.json'.
     * @param createKeyset Whether to create the keyset at start-up if its file does not exist. The start fails if the
     *     store already has entries in groups to encrypt, because a new keyset cannot decrypt them.
     * @param readPlain Whether to accept values that are not encrypted, during a migration.
     */
    public record Encryption(
            @DefaultValue List<String> groups,
            @Nullable String keyset,
            @DefaultValue("false") boolean createKeyset,
            @DefaultValue("false") boolean readPlain) {}

    /**
     * Settings of the purge job.
     *
     * @param enabled Whether to schedule the purge job. Expiry is exact without it. The job frees space and publishes
     *     what has expired.
     */
    public record Purge(@DefaultValue("true") boolean enabled) {}

    /**
     * Settings of application events.
     *
     * @param enabled Whether to publish changes in the store as application events.
     * @param groups Full names of the groups whose changes are published. By default all groups.
     * @param history Number of the last changes to keep in memory, from the first watch on, for watches that resume.
     */
    public record Events(
            @DefaultValue("true") boolean enabled,
            @DefaultValue List<String> groups,
            @DefaultValue("1000") int history) {}

    /**
     * Settings of expiry handling.
     *
     * @param concurrency Number of concurrent calls of one subscriber's method, 1 to 1,000.
     * @param maxAttempts Number of attempts to handle an expiry before it becomes a dead letter.
     * @param firstDelay Approximate delay after the first failure. It doubles with each further failure.
     * @param maxDelay Maximum delay after a failure. At least the first delay.
     * @param timeout Time after which the thread of a call is interrupted and the attempt counts as failed.
     * @param maxBacklog Approximate number of expiries to keep for a subscriber whose method has been missing for
     *     five minutes. Beyond that the oldest are dropped.
     * @param onTime Whether to notify listeners, watches and subscribers as soon as an entry expires, instead of at
     *     the next purge.
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
     * @param maxSize Memory that the near cache may use, up to half of the maximum heap. Zero for no cache. By
     *     default 32MB, or an eighth of the maximum heap if that is less; none on PostgreSQL.
     */
    public record NearCache(@Nullable DataSize maxSize) {}

    /**
     * Settings of Spring's caches in the store.
     *
     * @param enabled Whether the application's caches, as of '@Cacheable' methods, are in the store.
     * @param ttl Time that an entry of a cache lives after it was put, unless the cache has a time of its own. Zero for ever.
     * @param nullValues Whether a null result is cached. Otherwise it is an error to cache null.
     * @param allowedClasses Classes that cached values may consist of, beside those of Java for texts, numbers, times and
     *     collections: 'com.example.Order', 'com.example.*' for a package or 'com.example.**' with those below it. By
     *     default the packages of the application.
     * @param caches Settings of single caches, by name.
     */
    public record CacheManager(
            @DefaultValue("false") boolean enabled,
            @DefaultValue("1d") Duration ttl,
            @DefaultValue("true") boolean nullValues,
            @DefaultValue List<String> allowedClasses,
            @DefaultValue Map<String, Cache> caches) {}

    /**
     * Settings of one cache.
     *
     * @param ttl Time that an entry lives after it was put, instead of store.cache-manager.ttl. Zero for ever.
     * @param type Class of all values, which are stored as JSON then. By default values of any allowed class are serialized.
     */
    public record Cache(@Nullable Duration ttl, @Nullable Class<?> type) {}

    /**
     * Settings of ShedLock's locks in the store.
     *
     * @param enabled Whether the locks of '@SchedulerLock' methods are in the store.
     */
    public record LockProvider(@DefaultValue("false") boolean enabled) {}

    /**
     * Settings of Bucket4j's buckets in the store.
     *
     * @param enabled Whether to offer a ProxyManager for Bucket4j's buckets in the store.
     */
    public record RateLimits(@DefaultValue("false") boolean enabled) {}

    /**
     * Settings of requests that take effect once.
     *
     * @param enabled Whether POST and PATCH requests with an Idempotency-Key header take effect once: the first answer is
     *     repeated.
     * @param ttl Time to keep and repeat an answer.
     * @param runningTimeout Time for which a request without an answer keeps others with its key out, in case its instance was
     *     killed.
     * @param maxRequestSize Maximum size of the body of a request with a key, unless it is a form.
     * @param requiredPaths Patterns of paths whose POST and PATCH requests must have a key, such as '/payments/**'.
     */
    public record Idempotency(
            @DefaultValue("false") boolean enabled,
            @DefaultValue("1d") Duration ttl,
            @DefaultValue("5m") Duration runningTimeout,
            @DefaultValue("1MB") DataSize maxRequestSize,
            @DefaultValue List<String> requiredPaths) {}

    /**
     * Settings of the embedded database.
     *
     * @param readers Number of connections for concurrent reads, 1 to 64. By default the number of processors, and at
     *     least 2.
     * @param pageCacheSize Memory that each connection may use to cache pages of the file, 64KB to 1GB.
     * @param mmapSize Size of the part of the file that is mapped into memory. Zero maps nothing. An I/O error in a
     *     mapped file ends the JVM.
     * @param walLimit Size of the write-ahead log above which writers help to checkpoint it, at least 1MB.
     * @param copyBeforeMigration Whether to copy a file of an earlier layout beside itself before it is migrated.
     */
    public record Sqlite(
            @Nullable Integer readers,
            @DefaultValue("16MB") DataSize pageCacheSize,
            @DefaultValue("0B") DataSize mmapSize,
            @DefaultValue("64MB") DataSize walLimit,
            @DefaultValue("false") boolean copyBeforeMigration) {}

    /**
     * Settings of the shared database.
     *
     * @param schema Schema of the tables, up to 63 bytes. Stores in different schemas share nothing.
     * @param initializeSchema Whether the first instance creates the schema and its tables. 'never' if its role must not
     *     create tables.
     * @param notifications Whether to listen to the notifications of other instances, which keeps one
     *     connection. Without it their changes are looked for every 20 ms.
     * @param keptChanges Time to keep the log of changes, from one minute to seven days. Watches of an instance that was
     *     cut off for longer report a gap.
     * @param distributed Whether to distribute new tables in a database with Citus.
     * @param joinTransactions Whether the store takes part in the application's transactions on its DataSource, as those of
     *     '@Transactional' methods. Otherwise each write is committed by itself.
     * @param connections Connections that the store may have of its own, at least 5, so that it never waits for those that the
     *     application's transactions keep. By default as many as the pool of the application has, but 5 to 10, if its
     *     DataSource is a HikariDataSource. Zero uses the DataSource itself.
     */
    public record PostgreSql(
            @DefaultValue("ttl_store") String schema,
            @DefaultValue("always") InitializeSchema initializeSchema,
            @DefaultValue("true") boolean notifications,
            @DefaultValue("5m") Duration keptChanges,
            @DefaultValue("true") boolean distributed,
            @DefaultValue("true") boolean joinTransactions,
            @Nullable Integer connections) {

        /** Whether the store creates its tables. */
        public enum InitializeSchema {

            /** The first instance that starts creates what is missing. */
            ALWAYS,

            /** An administrator creates the tables, and the store only checks them. */
            NEVER
        }
    }
}
