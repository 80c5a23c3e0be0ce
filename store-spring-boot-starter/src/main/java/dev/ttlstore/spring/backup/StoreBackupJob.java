package dev.ttlstore.spring.backup;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.ttlstore.BackupResult;
import dev.ttlstore.Store;
import dev.ttlstore.engine.support.RetryLog;
import dev.ttlstore.exception.StoreClosedException;
import dev.ttlstore.exception.StoreInterruptedException;

/**
 * Makes backups of a store at an interval and keeps the newest ones. Each backup is one file in the backup folder. Its
 * name consists of the name of the store's file and the time in UTC, for example
 * {@code store.db.20261124T220000000Z.backup}. So the folder shows the time of the last backup, also after a restart.
 * Thread-safe.
 *
 * <pre>{@code
 * StoreBackupJob job = new StoreBackupJob(store, Path.of("backups"), Duration.ofHours(6), 7, Clock.systemUTC());
 * job.run();
 * }</pre>
 *
 * @since 0.1
 * @see dev.ttlstore.spring.metrics.BackupMeters
 */
public final class StoreBackupJob {

    private static final Logger log = LoggerFactory.getLogger(StoreBackupJob.class);

    private static final String SUFFIX = ".backup";

    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("uuuuMMdd'T'HHmmssSSS'Z'").withZone(ZoneOffset.UTC);

    /** After a failure the next attempt follows sooner than after the interval, but not at once. */
    private static final Duration PAUSE_AFTER_FAILURE = Duration.ofMinutes(10);

    private final Store store;
    private final String prefix;
    private final Path folder;
    private final Duration interval;
    private final int keep;
    private final InstantSource clock;
    private final AtomicLong successes = new AtomicLong();
    private final AtomicLong failures = new AtomicLong();
    private final RetryLog retries;
    private volatile @Nullable Failure lastFailure;

    private record Failure(Instant time, String message) {}

    /**
     * A backup in the folder.
     *
     * @param path the file
     * @param time when it was begun
     */
    public record Backup(Path path, Instant time) {}

    /**
     * Creates the job. It does nothing by itself.
     *
     * @param store the store, in a file
     * @param folder the folder of the backups, which is created when it is needed
     * @param interval the time from the beginning of one backup to the next; zero if none is due by itself
     * @param keep how many backups are kept, at least one
     * @param clock the source of time
     * @throws IllegalArgumentException if the store is not in a file, the interval is negative, or no backup would be kept
     */
    public StoreBackupJob(Store store, Path folder, Duration interval, int keep, InstantSource clock) {
        this.store = Objects.requireNonNull(store, "'store' must not be null");
        this.folder = Objects.requireNonNull(folder, "'folder' must not be null");
        this.interval = Objects.requireNonNull(interval, "'interval' must not be null");
        this.clock = Objects.requireNonNull(clock, "'clock' must not be null");
        Path file = store.path();
        if (file == null) {
            throw new IllegalArgumentException("'store' must be in a file to have backups");
        }
        if (interval.isNegative()) {
            throw new IllegalArgumentException("'interval' must not be negative, but is " + interval);
        }
        if (keep < 1) {
            throw new IllegalArgumentException("'keep' must be at least 1, but is " + keep);
        }
        this.prefix = file.getFileName() + ".";
        this.keep = keep;
        this.retries = new RetryLog(log, "The backup has failed; the next attempt follows in " + pauseAfterFailure());
    }

    /**
     * Makes a backup if one is due: if there is none in the folder, or the newest one was begun an interval ago or earlier. After a failure
     * the next attempt waits for the interval or ten minutes, whichever is shorter. A failure is counted. The
     * first one is logged as a warning, and then one each hour until a backup succeeds.
     */
    public void runIfDue() {
        if (isDue(clock.instant())) {
            try {
                BackupResult unused = run();
                retries.succeeded("Backups work again");
            } catch (StoreClosedException | StoreInterruptedException e) {
                log.info("The backup has ended early, because the application stops");
            } catch (RuntimeException e) {
                retries.failed(e);
            }
        }
    }

    private boolean isDue(Instant now) {
        if (interval.isZero()) {
            return false;
        }
        Failure failure = lastFailure;
        if (failure != null && now.isBefore(failure.time().plus(pauseAfterFailure()))) {
            return false;
        }
        return last().map(Backup::time)
                .filter(time -> now.isBefore(time.plus(interval)))
                .isEmpty();
    }

    private Duration pauseAfterFailure() {
        return interval.compareTo(PAUSE_AFTER_FAILURE) < 0 ? interval : PAUSE_AFTER_FAILURE;
    }

    /**
     * Makes a backup now, and then deletes those that are too many, the oldest by their contents first.
     *
     * @return the backup
     * @throws RuntimeException as {@link Store#backup(Path)} says, or if older ones cannot be deleted
     */
    public synchronized BackupResult run() {
        try {
            BackupResult made = store.backup(folder.resolve(prefix + TIME.format(clock.instant()) + SUFFIX));
            successes.incrementAndGet();
            lastFailure = null;
            log.info("Backup of {} bytes in {}: {}", made.bytes(), made.elapsed(), made.path());
            deleteOldest(made.path());
            return made;
        } catch (StoreClosedException | StoreInterruptedException e) {
            throw e; // not the fault of a backup
        } catch (RuntimeException e) {
            failures.incrementAndGet();
            lastFailure = new Failure(clock.instant(), String.valueOf(e.getMessage()));
            throw e;
        }
    }

    /** The contents say which ones are the oldest. By its name, one of a clock that was wrong would outlive all others. */
    private void deleteOldest(Path made) {
        List<Path> all = store.backups(folder).stream()
                .filter(path -> backup(path).isPresent())
                .toList();
        all.subList(0, Math.max(0, all.size() - keep)).stream()
                .filter(path -> !path.equals(made))
                .forEach(StoreBackupJob::delete);
    }

    private static void delete(Path path) {
        try {
            Files.deleteIfExists(path);
        } catch (IOException e) {
            throw new UncheckedIOException("The old backup " + path + " could not be deleted", e);
        }
    }

    /**
     * Returns the backups of the store in the folder, by the times in their names, the earliest first.
     *
     * @return those whose names have a time; others are left alone
     */
    public List<Backup> backups() {
        if (!Files.isDirectory(folder)) {
            return List.of();
        }
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(path -> isNamed(path.getFileName().toString()))
                    .map(this::backup)
                    .flatMap(Optional::stream)
                    .sorted(Comparator.comparing(Backup::time))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException("The folder of backups " + folder + " cannot be read", e);
        }
    }

    private boolean isNamed(String name) {
        return name.startsWith(prefix) && name.endsWith(SUFFIX);
    }

    private Optional<Backup> backup(Path path) {
        String name = path.getFileName().toString();
        try {
            Instant time = TIME.parse(name.substring(prefix.length(), name.length() - SUFFIX.length()), Instant::from);
            return Optional.of(new Backup(path, time));
        } catch (DateTimeException | StringIndexOutOfBoundsException e) {
            return Optional.empty();
        }
    }

    /**
     * Returns the newest backup in the folder. One whose name has a time in the future, from a clock that was wrong, does not count: it
     * would put off the next one.
     *
     * @return the backup; empty if there is none
     */
    public Optional<Backup> last() {
        Instant now = clock.instant();
        return backups().stream().filter(backup -> !backup.time().isAfter(now)).reduce((earlier, later) -> later);
    }

    /**
     * Returns by how much the next backup is late.
     *
     * @return the time since it was due; zero if it is not due, or if none is due by itself
     */
    public Duration overdueBy() {
        if (interval.isZero()) {
            return Duration.ZERO;
        }
        Duration late = last().map(backup -> Duration.between(backup.time().plus(interval), clock.instant()))
                .orElse(Duration.ZERO);
        return late.isNegative() ? Duration.ZERO : late;
    }

    /**
     * Returns why the last attempt failed.
     *
     * @return the message; empty if it did not fail
     */
    public Optional<String> lastFailure() {
        return Optional.ofNullable(lastFailure).map(Failure::message);
    }

    /**
     * Returns whether the job makes backups of a store.
     *
     * @param other a store
     * @return whether it does
     */
    public boolean backsUp(Store other) {
        return store == other;
    }

    /**
     * Returns how many backups were made.
     *
     * @return the number since the start
     */
    public long successes() {
        return successes.get();
    }

    /**
     * Returns how many attempts failed.
     *
     * @return the number since the start
     */
    public long failures() {
        return failures.get();
    }

    /**
     * Returns the time from one backup to the next.
     *
     * @return the interval; zero if none is due by itself
     */
    public Duration interval() {
        return interval;
    }
}
