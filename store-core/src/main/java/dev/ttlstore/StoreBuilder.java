package dev.ttlstore;

import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.ServiceLoader;
import java.util.function.Predicate;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.engine.Engine;
import dev.ttlstore.engine.EngineProvider;
import dev.ttlstore.engine.EngineSettings;
import dev.ttlstore.exception.MissingLibraryException;
import dev.ttlstore.exception.SealedValueException;
import dev.ttlstore.exception.StoreEngineException;
import dev.ttlstore.exception.StoreException;
import dev.ttlstore.exception.StoreFormatException;
import dev.ttlstore.exception.StoreLockedException;
import dev.ttlstore.exception.StorePathException;
import dev.ttlstore.expiry.ExpirySettings;
import dev.ttlstore.internal.cache.RowCache;
import dev.ttlstore.internal.commit.Expiry;
import dev.ttlstore.internal.stats.Meter;

/** Sets up a store: say where it is, change what you like, and {@link #open()} it. Not thread-safe. */
public final class StoreBuilder {

    private static final long KIB = 1024;
    private static final long MIB = 1024 * KIB;
    private static final long GIB = 1024 * MIB;

    /** Beyond half of the heap a cache is a mistake of units, or an OutOfMemoryError to come. */
    private static final long MAX_CACHE_SIZE = Runtime.getRuntime().maxMemory() / 2;

    private static final long DEFAULT_CACHE_SIZE =
            Math.min(32 * MIB, Runtime.getRuntime().maxMemory() / 8);

    /** SQLite keeps a row of 1,000,000,000 bytes at most, its names and numbers among them. */
    private static final int MAX_VALUE_SIZE = 999_000_000;

    /** What SQLite maps at most. */
    private static final long MAX_MMAP_SIZE = 0x7fff_0000;

    private boolean placed;
    private @Nullable Path path;
    private InstantSource clock = InstantSource.system();
    private Duration purgeInterval = Duration.ofSeconds(60);
    private Durability durability = Durability.NORMAL;
    private int maxValueSize = 1024 * 1024;
    private Duration lockTimeout = Duration.ofSeconds(5);
    private Duration closeTimeout = Duration.ofSeconds(30);
    private CodecFactory codecs = BasicCodecs.FACTORY;
    private UnreadableValues unreadableValues = UnreadableValues.FAIL;
    private Duration retention = Duration.ZERO;
    private long cacheSize = DEFAULT_CACHE_SIZE;
    private int readers = EngineSettings.DEFAULT_READERS;
    private long pageCacheSize = EngineSettings.DEFAULT_PAGE_CACHE_SIZE;
    private long mmapSize;
    private ExpirySettings expiry = ExpirySettings.defaults();
    private boolean expiryOnTime = true;
    private final Map<String, GroupSettings> groups = new HashMap<>();
    private @Nullable Encryption encryption;
    private long walLimit = EngineSettings.DEFAULT_WAL_LIMIT;

    StoreBuilder() {}

    /**
     * Keeps the store in a file. Missing folders above it are created, for the owner alone, as is the file.
     *
     * @param file the file; beside it there will be others that begin with its name
     * @return this builder
     */
    public StoreBuilder path(Path file) {
        this.path = Objects.requireNonNull(file, "'path' must not be null");
        this.placed = true;
        return this;
    }

    /**
     * Keeps the store in memory, to be lost when it is closed.
     *
     * @return this builder
     */
    public StoreBuilder inMemory() {
        this.path = null;
        this.placed = true;
        return this;
    }

    /**
     * Where the store takes its time from. Tests give it a clock that they move.
     *
     * @param source the clock; the system's unless set
     * @return this builder
     */
    public StoreBuilder clock(InstantSource source) {
        this.clock = Objects.requireNonNull(source, "'clock' must not be null");
        return this;
    }

    /**
     * How long the store's own purge thread pauses between two runs. Expiry is exact whether or not purges run: they only
     * give back the space, and tell of expired entries that nothing else has found.
     *
     * @param interval the pause, 60 seconds unless set; zero to have no such thread, and call
     *     {@link Store#purgeExpired()} yourself
     * @return this builder
     * @throws IllegalArgumentException if the interval is negative
     */
    public StoreBuilder purgeInterval(Duration interval) {
        this.purgeInterval = requireNotNegative(interval, "purgeInterval");
        return this;
    }

    /**
     * What a write has survived when it returns.
     *
     * @param level {@link Durability#NORMAL} unless set
     * @return this builder
     */
    public StoreBuilder durability(Durability level) {
        this.durability = Objects.requireNonNull(level, "'durability' must not be null");
        return this;
    }

    /**
     * The largest value that is accepted, as its codec has encoded it, and before it is sealed where it is. Raise it where larger ones are meant to be kept; a bound that is near keeps a
     * mistake, or a visitor, from filling memory and disk.
     *
     * @param bytes the size once encoded, 1 to 999,000,000; 1 MiB unless set
     * @return this builder
     * @throws IllegalArgumentException if the size is out of bounds
     */
    public StoreBuilder maxValueSize(long bytes) {
        this.maxValueSize = (int) requireBetween(1, MAX_VALUE_SIZE, bytes, "maxValueSize", " bytes");
        return this;
    }

    /**
     * How long opening waits while another process owns the file. Raise it where the next process starts before the last has
     * ended, as in a rolling restart; lower it where a second start is a mistake to be told at once.
     *
     * @param timeout the wait, 5 seconds unless set; zero to not wait
     * @return this builder
     * @throws IllegalArgumentException if the timeout is negative
     */
    public StoreBuilder lockTimeout(Duration timeout) {
        this.lockTimeout = requireNotNegative(timeout, "lockTimeout");
        return this;
    }

    /**
     * How long {@link Store#close} waits for listeners, transactions and expiry handlers that are running. After that it logs
     * which one it has waited for, and closes the store all the same: events that wait behind a listener are not told, what a
     * transaction would commit is refused, and expiries whose handler was running are delivered again. Raise it for listeners
     * that must end; lower it where the application has less time to stop.
     *
     * @param timeout the wait, 30 seconds unless set; zero to wait for nobody
     * @return this builder
     * @throws IllegalArgumentException if the timeout is negative
     */
    public StoreBuilder closeTimeout(Duration timeout) {
        this.closeTimeout = requireNotNegative(timeout, "closeTimeout");
        return this;
    }

    Duration closeTimeout() {
        return closeTimeout;
    }

    /**
     * Finds codecs for classes that the store does not know by itself.
     *
     * @param factory the factory, asked after the built-in codecs
     * @return this builder
     */
    public StoreBuilder codecs(CodecFactory factory) {
        this.codecs = Objects.requireNonNull(factory, "'codecs' must not be null");
        return this;
    }

    /**
     * What reads do with a value that the group's codec cannot read, or its cipher not open.
     *
     * @param policy {@link UnreadableValues#FAIL} unless set
     * @return this builder
     */
    public StoreBuilder unreadableValues(UnreadableValues policy) {
        this.unreadableValues = Objects.requireNonNull(policy, "'unreadableValues' must not be null");
        return this;
    }

    /**
     * How long expired entries are kept, invisible, after they have expired, to be found by {@link Keyspace#expired}. Their
     * expiry is told when it would be without; the first purge behind the end of that time forgets them.
     *
     * @param time the time, zero unless set: nothing is kept
     * @return this builder
     * @throws IllegalArgumentException if the time is negative, or above 146 million years
     */
    public StoreBuilder retention(Duration time) {
        Expiry.length(Objects.requireNonNull(time, "'retention' must not be null"), "retention");
        this.retention = time;
        return this;
    }

    /**
     * How much memory the near cache may take: entries that are read often are answered from it, without asking SQLite, and
     * never later than their expiry or older than the last commit. Raise it when {@link CacheActivity#evictions()} grows
     * fast and memory is left; lower it where the heap is small; turn it off where hardly an entry is read twice.
     *
     * <p>It needs Caffeine ({@code com.github.ben-manes.caffeine:caffeine}), which comes with the store.
     *
     * @param bytes the size of entries, their keys and the objects around them, from 0, for no cache, to half of the maximum
     *     heap; unless set 32 MiB, or an eighth of the maximum heap where that is less
     * @return this builder
     * @throws IllegalArgumentException if the size is out of bounds
     */
    public StoreBuilder cacheSize(long bytes) {
        this.cacheSize = requireBetween(0, MAX_CACHE_SIZE, bytes, "cacheSize", " bytes (half of the maximum heap)");
        return this;
    }

    /**
     * How many connections read the file at the same time; further readers wait for one of them. Raise it when many threads
     * run long ranges or counts, so that short reads find a connection; lower it to save memory, since each has a page cache
     * of its own. It has no effect in memory, where there is one connection.
     *
     * @param connections the number, 1 to 64; as many as the machine has processors unless set, and at least 2
     * @return this builder
     * @throws IllegalArgumentException if the number is out of bounds
     */
    public StoreBuilder readers(int connections) {
        this.readers = (int) requireBetween(1, EngineSettings.MAX_READERS, connections, "readers", "");
        return this;
    }

    /**
     * How much of the file each connection, those that read and the one that writes, keeps in memory. Raise it when ranges and
     * counts over a large file are slow and the operating system has no memory left to cache the file itself; lower it when
     * there are many readers and little memory. The memory is outside of the Java heap, and taken as it is needed.
     *
     * @param bytes the size for each connection, 64 KiB to 1 GiB; 16 MiB unless set
     * @return this builder
     * @throws IllegalArgumentException if the size is out of bounds
     */
    public StoreBuilder pageCacheSize(long bytes) {
        this.pageCacheSize = requireBetween(64 * KIB, GIB, bytes, "pageCacheSize", " bytes");
        return this;
    }

    /**
     * How much of the file is mapped into memory rather than read. Mapping saves a copy for each page that is read, which
     * makes large ranges over a file that fits into memory faster. It is off unless set: an I/O error in a mapped file (a disk
     * that fails, a file that is cut off) ends the whole JVM with a signal, where otherwise it is an exception.
     *
     * @param bytes the size, from the beginning of the file, 0, for no mapping, to 2,147,418,112, the most that SQLite maps;
     *     0 unless set
     * @return this builder
     * @throws IllegalArgumentException if the size is out of bounds
     */
    public StoreBuilder mmapSize(long bytes) {
        this.mmapSize = requireBetween(0, MAX_MMAP_SIZE, bytes, "mmapSize", " bytes");
        return this;
    }

    /**
     * The size of the write-ahead log beyond which a writer helps to fold it into the file, and waits for that: until reads
     * that have begun before are over, up to a second. Only while a single read goes on for longer the log grows beyond, by a
     * quarter before the writer tries again; the log file of the application says so. Raise it when bursts of writes stall and the disk has room; lower it when the disk is small, or a start after a crash, which reads
     * the log, has to be fast.
     *
     * @param bytes the size, at least 1 MiB; 64 MiB unless set
     * @return this builder
     * @throws IllegalArgumentException if the size is below 1 MiB
     */
    public StoreBuilder walLimit(long bytes) {
        if (bytes < MIB) {
            throw new IllegalArgumentException("'walLimit' must be at least 1,048,576 bytes, but is " + bytes);
        }
        this.walLimit = bytes;
        return this;
    }

    /**
     * How expiries are handed to the handlers of {@link ExpiryEvents#onExpired}.
     *
     * @param settings concurrency, attempts, delays and limits; {@link ExpirySettings#defaults()} unless set
     * @return this builder
     */
    public StoreBuilder expiry(ExpirySettings settings) {
        this.expiry = Objects.requireNonNull(settings, "'expiry' must not be null");
        return this;
    }

    /**
     * Whether listeners, watches and handlers are told of an expiry as soon as the entry has expired. The store then sleeps
     * until the next expiry, as long as somebody wants to be told. Turned off, they are told by the next purge or write that
     * finds the entry: in tests that want to say themselves when that is.
     *
     * @param onTime true unless set
     * @return this builder
     */
    public StoreBuilder expiryOnTime(boolean onTime) {
        this.expiryOnTime = onTime;
        return this;
    }

    /**
     * What differs for one group, such as a ttl for entries that are written without one. It is not kept with the data.
     *
     * @param name the full name of the group, as in {@link Keyspace#group(String)}; that of a group in a scope is
     *     {@code namespace:name}
     * @param settings what differs; {@link GroupSettings#defaults()} unless set
     * @return this builder
     * @throws IllegalArgumentException if the name is not valid
     */
    public StoreBuilder group(String name, GroupSettings settings) {
        groups.put(Names.require(name, "name"), Objects.requireNonNull(settings, "'settings' must not be null"));
        return this;
    }

    /**
     * Encrypts the values of some groups: each is sealed by a cipher before it is stored, and opened when it is read, by
     * whatever operation, for expiry handlers and in {@link Keyspace#expired} as well. Names of groups, keys and times are
     * not encrypted. The near cache keeps values sealed too, so each read opens one.
     *
     * <p>What is in the groups already is not changed, and what was stored unsealed does not open: reads throw
     * {@link SealedValueException}, or answer absent where {@link #unreadableValues} says so, unless the cipher lets it
     * through. {@code group.keys().forEach(key -> group.update(key, value -> value))} has all values of a group sealed anew,
     * with their expiry as it stands.
     *
     * <p>Quotas count what is stored, and so sealed values; {@link #maxValueSize} holds for values before they are sealed.
     *
     * @param names which groups: asked for full names, as they are in the store, that of a group in a scope being
     *     {@code namespace:name}; often and by many threads, and always with the same answer
     * @param cipher what seals and opens; when this is called again, it takes the place of the one before
     * @return this builder
     */
    public StoreBuilder encrypt(Predicate<String> names, ValueCipher cipher) {
        this.encryption = new Encryption(
                Objects.requireNonNull(names, "'names' must not be null"),
                Objects.requireNonNull(cipher, "'cipher' must not be null"));
        return this;
    }

    InstantSource clock() {
        return clock;
    }

    Duration purgeInterval() {
        return purgeInterval;
    }

    ExpirySettings expiry() {
        return expiry;
    }

    boolean expiryOnTime() {
        return expiryOnTime;
    }

    Duration retention() {
        return retention;
    }

    StoreContext context() {
        List<String> counted = groups.entrySet().stream()
                .filter(group -> group.getValue().statistics())
                .map(Map.Entry::getKey)
                .toList();
        return new StoreContext(
                new Codecs(codecs), maxValueSize, unreadableValues, Map.copyOf(groups), encryption, new Meter(counted));
    }

    /**
     * Opens the store.
     *
     * @return the store
     * @throws IllegalStateException if neither {@link #path(Path)} nor {@link #inMemory()} was called
     * @throws StoreLockedException if another process owns the file
     * @throws StoreFormatException if the file is no store
     * @throws StorePathException if the file cannot be where it was asked for
     * @throws StoreEngineException if the engine cannot be used, such as SQLite in a version that is not safe
     * @throws MissingLibraryException if there is to be a cache without Caffeine
     * @throws StoreException if the store cannot be opened for another reason
     */
    public Store open() {
        if (!placed) {
            throw new IllegalStateException("Say where the store is: call path(…) or inMemory() before open()");
        }
        RowCache cache = cache(); // first, so that no file is made when there can be none
        EngineSettings settings = new EngineSettings(
                path, durability == Durability.FULL, lockTimeout, readers, pageCacheSize, mmapSize, walLimit);
        Engine engine = provider(settings).open(settings);
        try {
            return DefaultStore.on(engine, cache, this);
        } catch (RuntimeException | Error e) { // a clock that throws, for one: the file must not stay locked by it
            engine.close();
            throw e;
        }
    }

    private RowCache cache() {
        try {
            return RowCache.of(cacheSize);
        } catch (NoClassDefFoundError e) {
            throw new MissingLibraryException(
                    "com.github.ben-manes.caffeine:caffeine",
                    "The near cache needs Caffeine, which is not on the class path",
                    "Add com.github.ben-manes.caffeine:caffeine, or do without the cache by cacheSize(0)",
                    e);
        }
    }

    private static EngineProvider provider(EngineSettings settings) {
        // Engines ship with this class, so they are where it is, whatever the thread's class loader sees.
        for (EngineProvider provider :
                ServiceLoader.load(EngineProvider.class, EngineProvider.class.getClassLoader())) {
            if (provider.supports(settings)) {
                return provider;
            }
        }
        throw new StoreEngineException(
                "No engine for this store was found",
                "If the application is one repackaged jar, keep META-INF/services/" + EngineProvider.class.getName()
                        + " in it",
                null);
    }

    private static Duration requireNotNegative(Duration duration, String parameter) {
        Objects.requireNonNull(duration, () -> "'" + parameter + "' must not be null");
        if (duration.isNegative()) {
            throw new IllegalArgumentException("'" + parameter + "' must not be negative, but is " + duration);
        }
        return duration;
    }

    private static long requireBetween(long least, long most, long value, String parameter, String unit) {
        if (value < least || value > most) {
            throw new IllegalArgumentException(String.format(
                    Locale.ROOT, "'%s' must be %,d to %,d%s, but is %d", parameter, least, most, unit, value));
        }
        return value;
    }
}
