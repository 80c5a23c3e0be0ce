package dev.ttlstore.spring.autoconfigure;

import java.time.Duration;
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
 * @param path File of the store. A relative path starts at the working directory. Missing folders are created. The
 *     log shows the path at start-up.
 * @param copyTo Engine to copy the store to, instead of starting the application: 'postgresql' for a store in a file, 'sqlite'
 *     for one in PostgreSQL. For the command line.
 * @param inMemory Whether to keep the store in memory instead of a file. Its entries are lost when the application
 *     stops.
 * @param purgeInterval Interval between two runs of the purge job. Zero or '-' turns the job off.
 * @param unreadableValues Result of reading a value that cannot be decoded, for example after an incompatible change of
 *     its class, that cannot be decrypted, or that does not match its checksum: 'fail' throws, 'absent' treats the
 *     entry as absent and counts it.
 * @param durability What a write survives once it returns: 'normal' a killed process, 'full' also a power cut.
 * @param lockTimeout Time to wait at start-up while another process owns the file. Zero fails at once.
 * @param closeTimeout Time to wait at shutdown for running listeners, transactions and expiry methods, for the methods
 *     at most ten seconds. Zero does not wait. The log names those that took longer.
 * @param maxValueSize Maximum size of an encoded value, up to 999,000,000 bytes.
 * @param retention Time to keep expired entries for an audit, invisible to reads. The next purge after that removes
 *     them. Zero keeps none.
 * @param groups Settings of single groups, by full name. The full name of a group in a scope is 'namespace:name', in
 *     brackets.
 * @param scopes Declared scopes, by namespace.
 * @param nearCache Settings of the near cache.
 * @param sqlite Settings of the embedded database.
 * @param postgresql Settings of the shared database.
 * @since 0.1
 * @see StoreAutoConfiguration
 * @see StoreBuilderCustomizer
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
        @DefaultValue NearCache nearCache,
        @DefaultValue Sqlite sqlite,
        @DefaultValue PostgreSql postgresql) {

    /** The property with the interval of the purge job. */
    public static final String PURGE_INTERVAL = "store.purge-interval";

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
     * @param maxAge Age at which the purge job deletes entries, counted from their creation. By default there is no limit.
     * @param ageIndex Whether to index the entries by their creation, so that finding old entries is cheap. A maximum
     *     age includes it.
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
     * Settings of the near cache.
     *
     * @param maxSize Memory that the near cache may use, up to half of the maximum heap. Zero for no cache. By
     *     default a sixteenth of the maximum heap, from 32MB to 128MB, and at most an eighth of the heap; none on PostgreSQL.
     */
    public record NearCache(@Nullable DataSize maxSize) {}

    /**
     * Settings of the embedded database.
     *
     * @param readers Number of connections for concurrent reads, 1 to 64. By default the number of processors, and at
     *     least 2.
     * @param pageCacheSize Memory that each connection may use to cache pages of the file, 64KB to 1GB.
     * @param mmapSize Size of the part of the file that is mapped into memory. Zero maps nothing. An I/O error in a
     *     mapped file ends the JVM.
     * @param walLimit Size of the write-ahead log above which a writer helps to checkpoint it, at least 1MB. The writer waits up to
     *     a second for reads that still need the log. Raise it if bursts of writes stall, lower it on a small disk.
     * @param copyBeforeMigration Whether to copy a file of an earlier layout beside itself before it is migrated.
     * @param reclaimAfter Time for which room in the file must stay unused before it is given back to the disk. Zero gives
     *     nothing back.
     * @param externalCheckpoints Whether another program, such as Litestream, checkpoints the write-ahead log instead of the
     *     store.
     */
    public record Sqlite(
            @Nullable Integer readers,
            @DefaultValue("16MB") DataSize pageCacheSize,
            @DefaultValue("0B") DataSize mmapSize,
            @DefaultValue("64MB") DataSize walLimit,
            @DefaultValue("false") boolean copyBeforeMigration,
            @DefaultValue("1m") Duration reclaimAfter,
            @DefaultValue("false") boolean externalCheckpoints) {}

    /**
     * Settings of the shared database.
     *
     * @param schema Schema of the tables, up to 63 bytes. Stores in different schemas share nothing.
     * @param initializeSchema Whether the first instance creates the schema and its tables. 'never' if its role must not
     *     create tables.
     * @param notifications Whether to listen to the notifications of other instances, which keeps one
     *     connection. Without it their changes are looked for every 20 ms.
     * @param keptChanges Time to keep the log of changes, from one minute to seven days. Watches of an instance that was
     *     cut off for longer report a gap. A change takes about 100 bytes and its key.
     * @param distributed Whether to distribute new tables in a database with Citus. Turn it off for a small store, which the
     *     coordinator then keeps.
     * @param joinTransactions Whether the store takes part in the application's transactions on its DataSource, such as
     *     '@Transactional' methods. Otherwise each write is committed separately.
     * @param connections Connections of the store's own pool, at least 5, so that it never waits for the application's
     *     transactions. By default as many as the application's pool has, but 5 to 10, if its DataSource is a
     *     HikariDataSource. Zero uses the DataSource itself.
     * @param commitsInFlight Number of commits that this instance may send before the first is answered, 1 to 64. Each takes a
     *     connection meanwhile. By default 4, and fewer with a Hikari pool below 7.
     */
    public record PostgreSql(
            @DefaultValue("ttl_store") String schema,
            @DefaultValue("always") InitializeSchema initializeSchema,
            @DefaultValue("true") boolean notifications,
            @DefaultValue("5m") Duration keptChanges,
            @DefaultValue("true") boolean distributed,
            @DefaultValue("true") boolean joinTransactions,
            @Nullable Integer connections,
            @Nullable Integer commitsInFlight) {

        /** Whether the store creates its tables. */
        public enum InitializeSchema {

            /** The first instance that starts creates what is missing. */
            ALWAYS,

            /** An administrator creates the tables, and the store only checks them. */
            NEVER
        }
    }
}
