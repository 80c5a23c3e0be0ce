package dev.ttlstore.sqlite;

import java.time.Duration;
import java.util.function.LongSupplier;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

import dev.ttlstore.engine.support.SafeLog;
import dev.ttlstore.exception.StoreFullException;

/**
 * What keeps the WAL from being checkpointed: a failure, a long read, or another program that should do it and does not. Logs warnings
 * from time to time. The thread that makes a checkpoint changes it; all threads read it.
 */
final class CheckpointHealth {

    /** How many times the limit of the WAL may wait for another program. It has reasons of its own to wait a little. */
    private static final int UNATTENDED_LIMITS = 2;

    /** How long the WAL may grow without a checkpoint before that is an alarm, and the pause between two warnings. */
    private static final long ALARM_NANOS = Duration.ofSeconds(30).toNanos();

    private final Logger log;
    private final SafeLog notMade;
    private final int maxFrames;
    private final LongSupplier nanoTime;

    /** Whether another program should checkpoint the WAL and does not. */
    private volatile boolean unattended;

    /** Why the last checkpoint failed; null if it succeeded. */
    private volatile @Nullable Throwable failure;

    /** When the last warning was logged; zero if there was none. */
    private volatile long lastWarning;

    /** Since when a read has kept the WAL beyond its limit; zero if none does. */
    private volatile long hinderedSince;

    CheckpointHealth(Logger log, int maxFrames, LongSupplier nanoTime) {
        this.log = log;
        this.notMade = new SafeLog(log, "The WAL could not be checkpointed; it grows until a checkpoint succeeds");
        this.maxFrames = maxFrames;
        this.nanoTime = nanoTime;
    }

    /** Notes how much waits for another program, and warns from time to time if that does not checkpoint it. */
    void watch(Checkpoint.Progress progress) {
        unattended = progress.pending() / UNATTENDED_LIMITS >= maxFrames;
        if (unattended && isTimeToWarn()) {
            log.warn(
                    "{} pages of the WAL wait for a checkpoint of another program, as externalCheckpoints says. The"
                            + " WAL grows until it makes one: is it running?",
                    progress.pending());
        }
    }

    /** Tests whether another program should checkpoint the WAL and does not. */
    boolean isUnattended() {
        return unattended;
    }

    void succeeded() {
        failure = null;
    }

    /**
     * Notes a failure, and logs a warning from time to time. Each commit may fail here, and on a full disk some
     * succeed. Never throws.
     */
    void failed(Throwable cause) {
        failure = cause;
        if (isTimeToWarn()) {
            notMade.warn(cause);
        }
    }

    /** Tests whether the last checkpoint failed because the disk was full. */
    boolean isFull() {
        return failure instanceof StoreFullException;
    }

    /** Returns why the last checkpoint failed; null if it succeeded. */
    @Nullable
    Throwable failure() {
        return failure;
    }

    /** Notes that a read keeps the WAL beyond its limit. */
    void hinderedByRead() {
        if (hinderedSince == 0) {
            hinderedSince = nanoTime.getAsLong() | 1; // never zero
        }
    }

    /** Notes that no read keeps the WAL beyond its limit any more. */
    void readsEnded() {
        hinderedSince = 0;
    }

    /** Tests whether the WAL is beyond its limit, because of a read or because another program does not checkpoint it. */
    boolean isHindered() {
        return hinderedSince != 0 || unattended;
    }

    /** Tests whether a read has kept the WAL beyond its limit for a long time. */
    boolean isHinderedForLong() {
        long since = hinderedSince;
        return since != 0 && nanoTime.getAsLong() - since >= ALARM_NANOS;
    }

    private boolean isTimeToWarn() {
        long now = nanoTime.getAsLong();
        long last = lastWarning;
        if (last != 0 && now - last < ALARM_NANOS) {
            return false;
        }
        lastWarning = now | 1; // never zero
        return true;
    }
}
