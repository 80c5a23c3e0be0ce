package dev.ttlstore;

import java.time.Duration;
import java.time.InstantSource;
import java.util.Objects;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.engine.EngineFactory;
import dev.ttlstore.exception.CopyMismatchException;
import dev.ttlstore.exception.CopySourceChangedException;
import dev.ttlstore.exception.CopyTargetException;
import dev.ttlstore.exception.StoreException;
import dev.ttlstore.exception.StoreInUseException;
import dev.ttlstore.exception.StoreInterruptedException;
import dev.ttlstore.exception.StoreLockedException;
import dev.ttlstore.exception.UnfinishedCopyException;

/**
 * Copies a store to another place: between a file and PostgreSQL, from file to file, or from schema to schema. Stop the
 * application first, because nobody may use the source or the target meanwhile.
 *
 * <pre>{@code
 * CopyResult copied = StoreCopy.from(Sqlite.file(Path.of("app.db")))
 *         .to(PostgreSql.on(dataSource))
 *         .onProgress(progress -> log.info("{}", progress))
 *         .run();
 * }</pre>
 *
 * <p>Copies all stored data: entries with their versions, times and expiries, expired entries that no purge has
 * deleted, retained entries, subscribers, and deliveries with their attempts and errors. Encrypted values stay
 * encrypted, and the copy needs neither keys nor codecs. Later versions in the target are higher than all versions of
 * the source, and the target's time never falls behind the source's. Deliveries get new ids. Quotas, age indexes and
 * other settings are not stored, so set them for the target too. The copy changes the source only to migrate a file of
 * an earlier layout.
 *
 * <p>A copy that failed, was interrupted or was killed leaves a target that no store opens ({@link
 * UnfinishedCopyException}). Run it again to continue: it reads the source again, adds what the target lacks, and
 * removes what the source no longer has. The memory that it needs does not depend on the size of the store.
 *
 * <p>Each method returns a copy with another setting. Immutable, so thread-safe.
 *
 * @since 0.1
 * @see CopyResult
 * @see CopyProgress
 * @see dev.ttlstore.export.StoreExport
 * @see Store#backup
 */
public final class StoreCopy {

    private final EngineFactory source;
    private final @Nullable EngineFactory target;
    private final InstantSource clock;
    private final Duration lockTimeout;
    private final Consumer<? super CopyProgress> progress;

    private StoreCopy(
            EngineFactory source,
            @Nullable EngineFactory target,
            InstantSource clock,
            Duration lockTimeout,
            Consumer<? super CopyProgress> progress) {
        this.source = source;
        this.target = target;
        this.clock = clock;
        this.lockTimeout = lockTimeout;
        this.progress = progress;
    }

    /**
     * Begins with the store to copy.
     *
     * @param source where it is; not in memory
     * @return a copy without a target
     */
    public static StoreCopy from(EngineFactory source) {
        Objects.requireNonNull(source, "'source' must not be null");
        return new StoreCopy(source, null, InstantSource.system(), Duration.ofSeconds(5), progress -> {});
    }

    /**
     * Sets the target of the copy. Creates a missing file or schema.
     *
     * @param target an empty place, or one with an unfinished copy of the same source; not in memory
     * @return a copy with this setting
     */
    public StoreCopy to(EngineFactory target) {
        Objects.requireNonNull(target, "'target' must not be null");
        return new StoreCopy(source, target, clock, lockTimeout, progress);
    }

    /**
     * Sets a listener for the progress. The copying thread calls it after each step of at most some hundred rows or
     * some megabytes.
     *
     * @param listener receives the progress; an exception that it throws ends the copy, which can be continued later
     * @return a copy with this setting
     */
    public StoreCopy onProgress(Consumer<? super CopyProgress> listener) {
        Objects.requireNonNull(listener, "'listener' must not be null");
        return new StoreCopy(source, target, clock, lockTimeout, listener);
    }

    /**
     * Sets how long to wait while another process owns a file.
     *
     * @param timeout the time; zero to not wait, 5 seconds by default
     * @return a copy with this setting
     * @throws IllegalArgumentException if it is negative
     */
    public StoreCopy lockTimeout(Duration timeout) {
        return new StoreCopy(source, target, clock, SettingRules.requireNotNegative(timeout, "lockTimeout"), progress);
    }

    /**
     * Sets the source of time, as {@link StoreBuilder#clock} does for a store. For tests.
     *
     * @param source the clock; the system's by default
     * @return a copy with this setting
     */
    public StoreCopy clock(InstantSource source) {
        Objects.requireNonNull(source, "'clock' must not be null");
        return new StoreCopy(this.source, target, source, lockTimeout, progress);
    }

    /**
     * Copies the store, reads the target again, and compares counts and checksums. When it returns, the target is a
     * store that survives a killed process and a power failure.
     *
     * @return the result of the copy
     * @throws IllegalStateException if {@link #to} was not called
     * @throws IllegalArgumentException if the source or the target is in memory, or both are the same
     * @throws CopyTargetException if the target is not empty; nothing was written
     * @throws StoreLockedException if another process owns a file
     * @throws StoreInUseException if other instances use a schema, or another process has begun to copy into the target
     * @throws UnfinishedCopyException if the source is an unfinished copy itself
     * @throws CopySourceChangedException if somebody has written to the source meanwhile
     * @throws CopyMismatchException if the target differs from the source
     * @throws StoreInterruptedException if the thread is interrupted; its interrupt status stays set
     * @throws StoreException if one of the stores cannot be opened, read or written for another reason, as {@link
     *     StoreBuilder#open} says; a source that does not exist is not created
     */
    public CopyResult run() {
        if (target == null) {
            throw new IllegalStateException("Say where to copy the store: call to(…) before run()");
        }
        return Services.find(StoreFactory.class).copy(new CopySettings(source, target, clock, lockTimeout, progress));
    }
}
