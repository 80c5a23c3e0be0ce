package dev.ttlstore.sqlite;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.engine.CopySource;
import dev.ttlstore.engine.CopyTarget;
import dev.ttlstore.engine.Engine;
import dev.ttlstore.engine.EngineFactory;
import dev.ttlstore.engine.EngineSettings;
import dev.ttlstore.engine.support.Inspection;
import dev.ttlstore.exception.StoreException;
import dev.ttlstore.exception.StoreFormatException;
import dev.ttlstore.exception.StoreInterruptedException;
import dev.ttlstore.exception.StoreLockedException;
import dev.ttlstore.exception.StorePathException;
import dev.ttlstore.exception.UnfinishedCopyException;
import dev.ttlstore.verification.RepairReport;
import dev.ttlstore.verification.VerificationProgress;
import dev.ttlstore.verification.VerificationReport;

/**
 * The embedded engine: SQLite, in one file or in memory.
 *
 * <pre>{@code
 * Store store = Store.builder()
 *         .engine(Sqlite.file(Path.of("app.db")).readers(8).walLimit(16 * 1024 * 1024))
 *         .open();
 * }</pre>
 *
 * <p>Each method returns a copy with another setting. Immutable.
 *
 * @since 0.1
 * @see dev.ttlstore.StoreBuilder#engine
 * @see dev.ttlstore.StoreBuilder#path
 * @see dev.ttlstore.postgresql.PostgreSql
 */
public final class Sqlite implements EngineFactory {

    private static final long KIB = 1024;
    private static final long MIB = 1024 * KIB;
    private static final long GIB = 1024 * MIB;

    /** How long a verification and a repair wait for a store that is being closed. */
    private static final Duration REPAIR_LOCK_TIMEOUT = Duration.ofSeconds(5);

    /** The largest size that SQLite maps. */
    private static final long MAX_MMAP_SIZE = 0x7fff_0000;

    private final @Nullable Path path;
    private final SqliteSettings.Options options;

    private Sqlite(@Nullable Path path, SqliteSettings.Options options) {
        this.path = path;
        this.options = options;
    }

    private Sqlite with(Consumer<SqliteSettings.Options> change) {
        SqliteSettings.Options changed = options.copy();
        change.accept(changed);
        return new Sqlite(path, changed);
    }

    /**
     * Keeps the store in a file. Creates the file and missing folders above it, readable only by their owner.
     *
     * @param path the file; the engine keeps other files beside it, whose names start with the file's name
     * @return the engine, with default settings
     */
    public static Sqlite file(Path path) {
        return new Sqlite(Objects.requireNonNull(path, "'path' must not be null"), new SqliteSettings.Options());
    }

    /**
     * Keeps the store in memory until it is closed. Such a store has one connection, so {@link #readers}, {@link
     * #mmapSize} and {@link #walLimit} have no effect.
     *
     * @return the engine, with default settings
     */
    public static Sqlite inMemory() {
        return new Sqlite(null, new SqliteSettings.Options());
    }

    /**
     * Sets how many connections read the file at the same time; further readers wait for a free connection. Raise it
     * if many threads run long ranges or counts and short reads have to wait. Lower it to save memory, because each
     * connection has its own page cache.
     *
     * @param connections the number, 1 to 64; by default as many as the machine has processors, and at least 2
     * @return a copy with this setting
     * @throws IllegalArgumentException if the number is out of bounds
     */
    public Sqlite readers(int connections) {
        int number = (int) requireBetween(1, SqliteSettings.MAX_READERS, connections, "readers", "");
        return with(changed -> changed.readers = number);
    }

    /**
     * Sets how much of the file each connection caches: the readers and the writer. Raise it if ranges and counts
     * over a large file are slow and the operating system has no memory left for its own file cache. Lower it if
     * there are many readers and little memory. The memory is outside the Java heap and is allocated as needed.
     *
     * @param bytes the size for each connection, 64 KiB to 1 GiB; 16 MiB by default
     * @return a copy with this setting
     * @throws IllegalArgumentException if the size is out of bounds
     */
    public Sqlite pageCacheSize(long bytes) {
        long size = requireBetween(64 * KIB, GIB, bytes, "pageCacheSize", " bytes");
        return with(changed -> changed.pageCacheSize = size);
    }

    /**
     * Sets how much of the file is mapped into memory instead of being read. Mapping saves one copy per page read,
     * which speeds up large ranges over a file that fits into memory. It is off by default, because an I/O error in a
     * mapped file (a failing disk, a truncated file) kills the JVM with a signal instead of throwing an exception.
     *
     * @param bytes the size, counted from the start of the file; 0, the default, for no mapping, up to 2,147,418,112,
     *     SQLite's limit
     * @return a copy with this setting
     * @throws IllegalArgumentException if the size is out of bounds
     */
    public Sqlite mmapSize(long bytes) {
        long size = requireBetween(0, MAX_MMAP_SIZE, bytes, "mmapSize", " bytes");
        return with(changed -> changed.mmapSize = size);
    }

    /**
     * Sets the size of the write-ahead log at which a writer helps to checkpoint it. The writer then waits up to a
     * second for reads that started earlier. Only a read that takes longer lets the log grow further, by a quarter
     * before a writer tries again; a log message reports it. Raise the limit if bursts of writes stall and the disk
     * has room. Lower it if the disk is small, or if opening after a crash, which reads the log, must be fast.
     *
     * @param bytes the size, at least 1 MiB; 64 MiB by default
     * @return a copy with this setting
     * @throws IllegalArgumentException if the size is below 1 MiB
     */
    public Sqlite walLimit(long bytes) {
        if (bytes < MIB) {
            throw new IllegalArgumentException("'walLimit' must be at least 1,048,576 bytes, but is " + bytes);
        }
        return with(changed -> changed.walLimit = bytes);
    }

    /**
     * Sets whether opening copies a file of an earlier layout, or of an older program, before it migrates the file. An
     * earlier version cannot read a migrated file. The copy lies beside the file and is named after the file and its
     * layout, such as {@code store.db.layout-6}, or {@code store.db.kv} for an older program. It is as large as the
     * file, and stays until you delete it. It replaces the copy of an earlier attempt.
     *
     * @param copied whether there is a copy; false by default
     * @return a copy with this setting
     */
    public Sqlite copyBeforeMigration(boolean copied) {
        return with(changed -> changed.copyBeforeMigration = copied);
    }

    /**
     * Sets how long space in the file must be unused before the store gives it back to the disk. Purges and deletions
     * leave free space in the file, and later entries use it. The store gives back what no entry has used for this
     * time, in short commits beside the writers, except for 4 MiB or an eighth of the used space. If the file then
     * grows again, the time doubles, up to a day, so that a store whose size goes up and down does not shrink in vain
     * each time. Raise it if the store shrinks and grows in a longer cycle. Set it to zero if the file must never
     * shrink.
     *
     * <p>A file can shrink only if it was created with a time above zero, by a version that has this setting. To change
     * that for an existing file, restore it from a backup.
     *
     * @param unused the time; 1 minute by default, zero to give nothing back
     * @return a copy with this setting
     * @throws IllegalArgumentException if the time is negative
     */
    public Sqlite reclaimAfter(Duration unused) {
        Objects.requireNonNull(unused, "'reclaimAfter' must not be null");
        if (unused.isNegative()) {
            throw new IllegalArgumentException("'reclaimAfter' must be at least zero, but is " + unused);
        }
        return with(changed -> changed.reclaimAfter = unused);
    }

    /**
     * Sets whether another program checkpoints the write-ahead log, such as Litestream, which replicates the file and must
     * see each part of the log before it is checkpointed. The engine then makes no checkpoint while it is open. While the
     * other program does not run, the log grows: a warning reports a log whose pages wait for more than twice {@link
     * #walLimit}, and {@code Store.check()} fails. Only on a full disk does the engine try to checkpoint nevertheless, which
     * succeeds if the other program has stopped.
     *
     * <p>With this setting, the store skips version numbers each time it opens, because its file may come from a
     * replica that lacks the last writes. So it never uses a version twice.
     *
     * @param external whether another program checkpoints; false by default
     * @return a copy with this setting
     */
    public Sqlite externalCheckpoints(boolean external) {
        return with(changed -> changed.externalCheckpoints = external);
    }

    /** Sets how often the writer checks that its file is still in its place, for tests that do not wait for a second. */
    Sqlite lookEvery(Duration pause) {
        return with(changed -> changed.lookEvery = pause);
    }

    /**
     * Restores the file from a backup when the store is opened and the file is missing. If there is no backup either, the store
     * begins empty. A backup in a folder belongs to the file if its name begins with the file's name and a full stop, and ends with
     * {@code .backup}, such as {@code store.db.2026-11-24T2200.backup}. The contents say which is the newest: the time of the last commit,
     * and the sequence if that time is in the future, because a clock was wrong. Names decide between equal contents. A backup that
     * cannot be read fails the opening if it has the last name.
     *
     * @param backups a backup, or a folder with backups
     * @return a copy with this setting
     */
    public Sqlite restoreFrom(Path backups) {
        Objects.requireNonNull(backups, "'backups' must not be null");
        return with(changed -> changed.backups = backups);
    }

    /**
     * Finds the backup that {@link #restoreFrom} would take.
     *
     * @param from a backup, or a folder with backups
     * @return the backup; empty if there is none
     * @throws IllegalArgumentException if the store is in memory
     * @throws StorePathException if the folder cannot be read
     */
    public Optional<Path> newestBackup(Path from) {
        Objects.requireNonNull(from, "'from' must not be null");
        return Restore.newestBackup(requireFile("path"), from);
    }

    /**
     * Verifies the file of a closed store, even if it no longer opens. It changes nothing. For an open store, use
     * {@link dev.ttlstore.Store#verify}. The file does not contain the usage of namespaces, so this does not verify it.
     *
     * @param listener receives the progress a few times per second, in the calling thread; if it throws, the
     *     verification ends and the caller gets the exception
     * @return the findings, without values
     * @throws IllegalArgumentException if the store is in memory
     * @throws StorePathException if there is no such file
     * @throws StoreLockedException if a store has the file open
     * @throws StoreFormatException if the file is not a store, or one of an earlier layout
     * @throws UnfinishedCopyException if it holds an unfinished copy of a store
     * @throws StoreInterruptedException if the thread is interrupted; its interrupt status stays set
     */
    public VerificationReport verify(Consumer<? super VerificationProgress> listener) {
        Objects.requireNonNull(listener, "'listener' must not be null");
        Path file = requireFile("path");
        NativeLibrary.load();
        return Repair.verify(
                file, REPAIR_LOCK_TIMEOUT, new Inspection("The verification of " + file, listener, () -> false));
    }

    /**
     * Repairs the file of a closed store. A sound file stays unchanged. Otherwise the repair writes all readable rows
     * to a new file with new indexes, which replaces the damaged file. The damaged file stays beside it under another
     * name, with its log: {@code store.db.2026-11-25T013000Z.damaged}. Nothing is lost if only indexes, times, versions
     * or deliveries are wrong.
     *
     * <p>Rows that a store would not accept go to a side file, such as {@code
     * store.db.2026-11-25T013000Z.rejected.jsonl}, as lines of JSON: entries with names that are not valid, deliveries
     * without a subscriber, and of two rows of one name the earlier version. It has their values, in Base64, and only
     * the owner can read it. The report names entries whose row cannot be read, if the index of names still has them.
     *
     * <p>The repaired store continues its sequence at the time in microseconds, as a restored backup does, so it never
     * uses a version twice. The repair needs room for a second file. If it fails, nothing has changed.
     *
     * @param listener receives the progress a few times per second, in the calling thread; if it throws, the repair
     *     ends and the caller gets the exception
     * @return the findings, and the files
     * @throws IllegalArgumentException if the store is in memory
     * @throws StorePathException if there is no such file, or none can be written beside it
     * @throws StoreLockedException if a store has the file open
     * @throws StoreFormatException if the file is not a store, or one of an earlier layout
     * @throws UnfinishedCopyException if it holds an unfinished copy of a store
     * @throws StoreException if nothing in the file can be read; restore a backup then
     * @throws StoreInterruptedException if the thread is interrupted; its interrupt status stays set
     */
    public RepairReport repair(Consumer<? super VerificationProgress> listener) {
        Objects.requireNonNull(listener, "'listener' must not be null");
        Path file = requireFile("path");
        NativeLibrary.load();
        return Repair.repair(
                file, REPAIR_LOCK_TIMEOUT, new Inspection("The repair of " + file, listener, () -> false), () -> {});
    }

    /** Opens the engine; called by the store's builder. */
    @Override
    public Engine open(EngineSettings asked) {
        if (path != null && options.backups != null) {
            NativeLibrary.load();
            Restore.ifMissing(path, options.backups, asked.lockTimeout());
        }
        return Opening.open(path, settings(asked), engine -> {
            Opening.requireFinished(engine);
            new AgeIndex(engine).run(asked.ageIndexes());
            return engine;
        });
    }

    @Override
    public CopySource openSource(EngineSettings asked) {
        Path file = requireFile("source");
        if (!Files.exists(file)) {
            throw new StorePathException(
                    file,
                    "The store " + file + " cannot be copied, because there is no such file",
                    "Check its path",
                    null);
        }
        return Opening.open(path, settings(asked), engine -> {
            Opening.requireFinished(engine);
            return new SqliteCopy(engine, file);
        });
    }

    @Override
    public CopyTarget openTarget(EngineSettings asked) {
        Path file = requireFile("target");
        return Opening.open(path, settings(asked), engine -> new SqliteCopy(engine, file));
    }

    private Path requireFile(String parameter) {
        if (path == null) {
            throw new IllegalArgumentException(
                    "'" + parameter + "' must not be in memory, where a store is lost when it is closed");
        }
        return path.toAbsolutePath().normalize();
    }

    SqliteSettings settings(EngineSettings asked) {
        return new SqliteSettings(asked, options);
    }

    /** Returns a text for the log. */
    @Override
    public String toString() {
        return "Sqlite[path=" + path + ", " + options + "]";
    }

    private static long requireBetween(long least, long most, long value, String parameter, String unit) {
        if (value < least || value > most) {
            throw new IllegalArgumentException(String.format(
                    Locale.ROOT, "'%s' must be %,d to %,d%s, but is %d", parameter, least, most, unit, value));
        }
        return value;
    }
}
