package dev.ttlstore;

import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Objects;
import java.util.ServiceLoader;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.commit.Expiry;
import dev.ttlstore.engine.Engine;
import dev.ttlstore.engine.EngineProvider;
import dev.ttlstore.engine.EngineSettings;

/** Sets up a store: say where it is, change what you like, and {@link #open()} it. Not thread-safe. */
public final class StoreBuilder {

    private boolean placed;
    private @Nullable Path path;
    private InstantSource clock = InstantSource.system();
    private Duration purgeInterval = Duration.ofSeconds(60);
    private Durability durability = Durability.NORMAL;
    private int maxValueSize = 1024 * 1024;
    private Duration lockTimeout = Duration.ofSeconds(5);
    private CodecFactory codecs = BasicCodecs.FACTORY;
    private UnreadableValues unreadableValues = UnreadableValues.FAIL;
    private Duration retention = Duration.ZERO;

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
     * The largest value that is accepted.
     *
     * @param bytes the size once encoded, 1 to 1,000,000,000; 1 MiB unless set
     * @return this builder
     * @throws IllegalArgumentException if the size is out of bounds
     */
    public StoreBuilder maxValueSize(int bytes) {
        if (bytes < 1 || bytes > 1_000_000_000) {
            throw new IllegalArgumentException("'maxValueSize' must be 1 to 1,000,000,000 bytes, but is " + bytes);
        }
        this.maxValueSize = bytes;
        return this;
    }

    /**
     * How long opening waits while another process owns the file.
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
     * What reads do with a value that the group's codec cannot read.
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

    InstantSource clock() {
        return clock;
    }

    Duration purgeInterval() {
        return purgeInterval;
    }

    Duration retention() {
        return retention;
    }

    StoreContext context() {
        return new StoreContext(new Codecs(codecs), maxValueSize, unreadableValues);
    }

    /**
     * Opens the store.
     *
     * @return the store
     * @throws IllegalStateException if neither {@link #path(Path)} nor {@link #inMemory()} was called
     * @throws StoreLockedException if another process owns the file
     * @throws StoreFormatException if the file is no store
     * @throws StoreException if the store cannot be opened for another reason
     */
    public Store open() {
        if (!placed) {
            throw new IllegalStateException("Say where the store is: call path(…) or inMemory() before open()");
        }
        EngineSettings settings = new EngineSettings(path, durability == Durability.FULL, lockTimeout);
        Engine engine = provider(settings).open(settings);
        try {
            return DefaultStore.on(engine, this);
        } catch (RuntimeException | Error e) { // a clock that throws, for one: the file must not stay locked by it
            engine.close();
            throw e;
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
                "No engine for this store was found; if the application is one repackaged jar, keep"
                        + " META-INF/services/" + EngineProvider.class.getName() + " in it",
                null);
    }

    private static Duration requireNotNegative(Duration duration, String parameter) {
        Objects.requireNonNull(duration, () -> "'" + parameter + "' must not be null");
        if (duration.isNegative()) {
            throw new IllegalArgumentException("'" + parameter + "' must not be negative, but is " + duration);
        }
        return duration;
    }
}
