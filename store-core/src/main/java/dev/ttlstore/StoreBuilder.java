package dev.ttlstore;

import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.function.Predicate;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.engine.EngineFactory;
import dev.ttlstore.engine.EngineProvider;
import dev.ttlstore.engine.Names;
import dev.ttlstore.exception.MissingLibraryException;
import dev.ttlstore.exception.SealedValueException;
import dev.ttlstore.exception.StoreEngineException;
import dev.ttlstore.exception.StoreException;
import dev.ttlstore.exception.StoreFormatException;
import dev.ttlstore.exception.StoreLockedException;
import dev.ttlstore.exception.StorePathException;
import dev.ttlstore.exception.StoreSchemaException;
import dev.ttlstore.exception.UnfinishedCopyException;
import dev.ttlstore.expiry.ExpirySettings;

/**
 * Configures and opens a store. Choose where the data lives, change the settings that you need, and call {@link
 * #open()}. Not thread-safe.
 *
 * <pre>{@code
 * Store store = Store.builder()
 *         .path(Path.of("app.db"))
 *         .durability(Durability.FULL)
 *         .group("sessions", GroupSettings.defaults().withTtl(Duration.ofMinutes(30)))
 *         .open();
 * }</pre>
 *
 * @since 0.1
 * @see Store#builder()
 * @see GroupSettings
 * @see dev.ttlstore.sqlite.Sqlite
 * @see dev.ttlstore.postgresql.PostgreSql
 */
public final class StoreBuilder {

    private @Nullable Supplier<EngineFactory> engine;
    private InstantSource clock = InstantSource.system();
    private Duration purgeInterval = Duration.ofSeconds(60);
    private Durability durability = Durability.NORMAL;
    private int maxValueSize = 1024 * 1024;
    private Duration lockTimeout = Duration.ofSeconds(5);
    private Duration closeTimeout = Duration.ofSeconds(30);
    private CodecFactory codecs = BasicCodecs.NO_OTHERS;
    private UnreadableValues unreadableValues = UnreadableValues.FAIL;
    private Duration retention = Duration.ZERO;
    private long cacheSize = SettingRules.DEFAULT_CACHE_SIZE;
    private long sharedCacheSize;
    private ExpirySettings expiry = ExpirySettings.defaults();
    private boolean expiryOnTime = true;
    private int eventHistory = 1_000;
    private @Nullable Executor futureExecutor;
    private final Map<String, GroupSettings> groups = new HashMap<>();
    private Predicate<String> encrypted = name -> false;
    private @Nullable ValueCipher cipher;

    StoreBuilder() {}

    /**
     * Keeps the store in a file, with the embedded engine and its default settings. Creates the file and missing folders above it, readable
     * only by their owner.
     *
     * @param file the file; the engine keeps other files beside it, whose names start with the file's name
     * @return this builder
     */
    public StoreBuilder path(Path file) {
        Objects.requireNonNull(file, "'path' must not be null");
        this.engine = () -> Services.find(EngineProvider.class).file(file);
        return this;
    }

    /**
     * Keeps the store in memory until it is closed, with the embedded engine.
     *
     * @return this builder
     */
    public StoreBuilder inMemory() {
        this.engine = () -> Services.find(EngineProvider.class).inMemory();
        return this;
    }

    /**
     * Keeps the store in an engine, which has settings of its own: {@code engine(Sqlite.file(path).readers(8))}. The last call of this
     * method, {@link #path} and {@link #inMemory} counts.
     *
     * @param factory opens the engine
     * @return this builder
     */
    public StoreBuilder engine(EngineFactory factory) {
        Objects.requireNonNull(factory, "'engine' must not be null");
        this.engine = () -> factory;
        return this;
    }

    /**
     * Sets the source of the store's time. Tests pass a clock that they move.
     *
     * @param source the clock; the system's by default
     * @return this builder
     */
    public StoreBuilder clock(InstantSource source) {
        this.clock = Objects.requireNonNull(source, "'clock' must not be null");
        return this;
    }

    /**
     * Sets how long the store's purge thread pauses between two purges. Expiry is exact with or without purges. A purge only frees space,
     * and publishes the expiry of entries that nothing else has found.
     *
     * @param interval the pause, 60 seconds by default; zero for no regular purges, if you call {@link Store#purgeExpired()} yourself
     * @return this builder
     * @throws IllegalArgumentException if the interval is negative
     */
    public StoreBuilder purgeInterval(Duration interval) {
        this.purgeInterval = SettingRules.requireNotNegative(interval, "purgeInterval");
        return this;
    }

    /**
     * Sets which failures a write survives once it has returned.
     *
     * @param level {@link Durability#NORMAL} by default
     * @return this builder
     */
    public StoreBuilder durability(Durability level) {
        this.durability = Objects.requireNonNull(level, "'durability' must not be null");
        return this;
    }

    /**
     * Sets the size of the largest value that the store accepts, measured after encoding and before encryption. Raise it to store larger
     * values on purpose. A low limit keeps a mistake, or a visitor, from filling memory and disk.
     *
     * @param bytes the size, 1 to 999,000,000; 1 MiB by default
     * @return this builder
     * @throws IllegalArgumentException if the size is out of bounds
     */
    public StoreBuilder maxValueSize(long bytes) {
        this.maxValueSize = SettingRules.requireValueSize(bytes);
        return this;
    }

    /**
     * Sets how long opening waits while another process owns the data. Raise it if the next process starts before the last one has ended,
     * as in a rolling restart. Lower it if a second start is a mistake to report at once.
     *
     * @param timeout the wait, 5 seconds by default; zero to not wait
     * @return this builder
     * @throws IllegalArgumentException if the timeout is negative
     */
    public StoreBuilder lockTimeout(Duration timeout) {
        this.lockTimeout = SettingRules.requireNotNegative(timeout, "lockTimeout");
        return this;
    }

    /**
     * Sets how long {@link Store#close} waits for running listeners, transactions and expiry handlers. For handlers, it
     * waits at most ten seconds of that time. After that, it logs what it was waiting for, and closes the store. The
     * events that wait for a running listener are then lost, a running transaction cannot commit, and the store
     * delivers an expiry again if its handler was running. If a codec or a cipher does not return, its commit cannot
     * end, and the file stays locked until it does. Raise the timeout if listeners must run to their end.
     *
     * @param timeout the wait, 30 seconds by default; zero to not wait
     * @return this builder
     * @throws IllegalArgumentException if the timeout is negative
     */
    public StoreBuilder closeTimeout(Duration timeout) {
        this.closeTimeout = SettingRules.requireNotNegative(timeout, "closeTimeout");
        return this;
    }

    /**
     * Adds codecs for classes that have no built-in codec.
     *
     * @param factory finds a codec for a class without a built-in codec
     * @return this builder
     */
    public StoreBuilder codecs(CodecFactory factory) {
        this.codecs = Objects.requireNonNull(factory, "'codecs' must not be null");
        return this;
    }

    /**
     * Sets what a read does with a value that the group's codec cannot decode, or its cipher cannot open.
     *
     * @param policy {@link UnreadableValues#FAIL} by default
     * @return this builder
     */
    public StoreBuilder unreadableValues(UnreadableValues policy) {
        this.unreadableValues = Objects.requireNonNull(policy, "'unreadableValues' must not be null");
        return this;
    }

    /**
     * Sets how long the store keeps expired entries for {@link Keyspace#expired}. They are invisible to all other reads, and their expiry
     * is published when it happens. The first {@linkplain LiveKeyspace#purgeExpired() purge} after that time deletes them. The time applies
     * to the entries that the store keeps already, too. {@link GroupSettings#withRetention} sets it for one group.
     *
     * @param time the time; zero, the default, to keep nothing
     * @return this builder
     * @throws IllegalArgumentException if the time is negative, or above 146 million years
     */
    public StoreBuilder retention(Duration time) {
        this.retention = SettingRules.requireMillis(time, "retention");
        return this;
    }

    /**
     * Sets how much memory the near cache may use. It answers reads of frequently read entries without a query, never after their expiry
     * and never older than the last commit. Raise it if {@link CacheActivity#evictions()} grows quickly and there is memory left. Lower it
     * if the heap is small. Turn it off if hardly any entry is read twice.
     *
     * <p>On an engine that several processes share, such as PostgreSQL, there is no cache unless its size is set here. With it,
     * {@link Group#get} and {@link Group#contains} may return what was there before another process has changed it: usually for some
     * milliseconds, and for a second at most. All other methods, and all writes, see the last commit.
     *
     * @param bytes the size of the cached entries with their keys and object headers, at most half of the maximum heap;
     *     0 for no cache. The default is a sixteenth of the maximum heap, at least 32 and at most 128 MiB, but never
     *     more than an eighth of the heap. On a shared engine it is 0
     * @return this builder
     * @throws IllegalArgumentException if the size is out of bounds
     */
    public StoreBuilder cacheSize(long bytes) {
        this.cacheSize = SettingRules.requireCacheSize(bytes);
        this.sharedCacheSize = bytes;
        return this;
    }

    /**
     * Sets how expired entries are delivered to the handlers of {@link ExpiryEvents#onExpired}.
     *
     * @param settings concurrency, attempts, delays and limits; {@link ExpirySettings#defaults()} by default
     * @return this builder
     */
    public StoreBuilder expiry(ExpirySettings settings) {
        this.expiry = Objects.requireNonNull(settings, "'expiry' must not be null");
        return this;
    }

    /**
     * Sets whether the store publishes an expiry as soon as the entry has expired. To do so, it waits for the next
     * expiry while it has a listener, a watch or a handler. If you turn this off, only a purge or a write that finds
     * the entry publishes the expiry, and reads of ranges cause no purge. Turn it off in tests that decide when entries
     * are purged.
     *
     * @param onTime true by default
     * @return this builder
     */
    public StoreBuilder expiryOnTime(boolean onTime) {
        this.expiryOnTime = onTime;
        return this;
    }

    /**
     * Sets how many of the last events the store keeps in memory for watches that {@linkplain
     * dev.ttlstore.event.WatchOptions#resumingAfter resume}. The store starts to keep events with the first watch,
     * without their values. They use at most 16 MiB, or 512 bytes for each event if that is more, so the store keeps
     * fewer events if keys are very long.
     *
     * @param events how many, 1,000 by default; zero for none
     * @return this builder
     * @throws IllegalArgumentException if the number is negative, or above 1,000,000
     */
    public StoreBuilder eventHistory(int events) {
        this.eventHistory = (int) SettingRules.requireBetween(0, 1_000_000, events, "eventHistory", "");
        return this;
    }

    /**
     * Sets the executor that completes the futures of {@link AsyncGroup} and runs their dependents, such as the
     * argument of {@code thenRun}. The default is a pool of this store with one daemon thread per processor, and at
     * least two. If dependents block and the pool makes no progress for 20 ms, the store adds threads, up to 1,024. Set
     * an executor if more dependents block, or if they need their own context. On newer JDKs, {@code
     * Executors.newVirtualThreadPerTaskExecutor()} is one choice.
     *
     * <p>A thread of the store calls {@code execute}, so an executor that copies the caller's context, such as a
     * security context, finds none. {@code execute} should return at once, because futures wait for it. If it throws,
     * the store's own pool completes the future and logs a warning, at most once an hour. If the executor drops a task
     * without throwing, its future never completes. Close the executor after the store.
     *
     * @param executor runs the completions, by any number of threads; thread-safe
     * @return this builder
     */
    public StoreBuilder futureExecutor(Executor executor) {
        this.futureExecutor = Objects.requireNonNull(executor, "'executor' must not be null");
        return this;
    }

    /**
     * Sets the settings of one group, such as a default ttl or a maximum age. They are not stored with the data.
     *
     * @param name the full name of the group, as in {@link Keyspace#group(String)}; for a group in a scope {@code namespace:name}
     * @param settings the settings; {@link GroupSettings#defaults()} by default
     * @return this builder
     * @throws IllegalArgumentException if the name is not valid
     */
    public StoreBuilder group(String name, GroupSettings settings) {
        groups.put(Names.require(name, "name"), Objects.requireNonNull(settings, "'settings' must not be null"));
        return this;
    }

    /**
     * Encrypts the values of some groups. A cipher seals each value before it is stored, and opens it for every read, every expiry handler
     * and {@link Keyspace#expired}. Group names, keys and times are not encrypted. The near cache holds sealed values, and quotas count
     * them.
     *
     * <p>Values that are already in these groups stay unsealed. Unless the cipher accepts unsealed values, reads of
     * them throw {@link SealedValueException}, or find no entry if {@link #unreadableValues} says so.
     * {@code group.keys().forEach(key -> group.update(key, value -> value))} seals all values of a group again and
     * keeps their expiry.
     *
     * @param names selects groups by their full names, for a group in a scope {@code namespace:name}, as a {@link
     *     GroupPattern} does; many threads call it often, and it must always give the same answer
     * @param valueCipher seals and opens values; another call of this method replaces it
     * @return this builder
     */
    public StoreBuilder encrypt(Predicate<String> names, ValueCipher valueCipher) {
        this.encrypted = Objects.requireNonNull(names, "'names' must not be null");
        this.cipher = Objects.requireNonNull(valueCipher, "'cipher' must not be null");
        return this;
    }

    /**
     * Opens the store.
     *
     * @return the store
     * @throws IllegalStateException if none of {@link #path}, {@link #inMemory} and {@link #engine} was called
     * @throws StoreLockedException if another process owns the file
     * @throws StoreFormatException if the file is not a store
     * @throws StorePathException if the file cannot be created or opened at this path
     * @throws StoreEngineException if the engine cannot be used, such as an unsafe version of SQLite
     * @throws UnfinishedCopyException if the file or schema holds an unfinished copy of another store; see {@link
     *     StoreCopy}
     * @throws StoreSchemaException if the schema of a shared engine is missing and is not to be created, or is newer
     * @throws MissingLibraryException if the near cache is on and Caffeine is missing
     * @throws StoreException if the store cannot be opened for another reason
     */
    public Store open() {
        StoreSettings settings = new StoreSettings(
                SettingRules.requireChosen(engine).get(),
                clock,
                durability,
                lockTimeout,
                closeTimeout,
                purgeInterval,
                retention,
                maxValueSize,
                cacheSize,
                sharedCacheSize,
                codecs,
                unreadableValues,
                groups,
                encrypted,
                cipher,
                expiry,
                expiryOnTime,
                eventHistory,
                futureExecutor);
        return Services.find(StoreFactory.class).open(settings);
    }
}
