package dev.ttlstore.engine.support;

import java.io.UncheckedIOException;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

import dev.ttlstore.engine.ConflictException;
import dev.ttlstore.exception.StoreException;

/**
 * Logs the failures of background work that is retried by itself, as while a database is away: one warning when it begins to fail, one
 * more for each hour in which it goes on failing, one when the failure has become another for good, and one line when it works again. What fails in between is logged at debug level. Never
 * throws, because a logger may itself fail while memory is exhausted, and that must not end the work. Thread-safe.
 *
 * @since 0.1
 */
public final class RetryLog {

    private static final long AGAIN_NANOS = TimeUnit.HOURS.toNanos(1);

    /** So many failures in a row are no matter of a moment. */
    private static final int LASTING = 3;

    private final Logger log;
    private final String message;
    private final LongSupplier nanoTime;
    private volatile boolean failing;

    /** How often the work has failed in a row. Changed under the lock of this. */
    private volatile int failures;

    /** The kind of the last failure, how often it came in a row, and that of the last warning. Guarded by this. */
    private @Nullable Class<?> kind;

    private int ofKind;
    private @Nullable Class<?> warnedOf;

    /** When the last warning was logged. Guarded by this. */
    private long warnedAt;

    /**
     * Creates one for one kind of work, which has not failed yet. The message is made beforehand, because there may be no memory for it
     * when the work fails: even a constant text takes some where it is first used.
     *
     * @param log logs the lines
     * @param message what has failed, and when it is retried
     */
    public RetryLog(Logger log, String message) {
        this(log, message, System::nanoTime);
    }

    RetryLog(Logger log, String message, LongSupplier nanoTime) {
        this.log = log;
        this.message = message;
        this.nanoTime = nanoTime;
    }

    /**
     * Notes that the work has failed, and will be retried. The warning is one line with the reason. It has a stack trace only if the
     * failure is none that a store or a disk reports, because then a mistake in a program is likely.
     *
     * @param failure the reason
     */
    public synchronized void failed(Throwable failure) {
        failures = Math.min(LASTING, failures + 1);
        ofKind = failure.getClass() == kind ? Math.min(LASTING, ofKind + 1) : 1;
        kind = failure.getClass();
        try {
            long now = nanoTime.getAsLong();
            // What begins without memory may go on for another reason, and nobody would know it.
            boolean isOther = ofKind == LASTING && kind != warnedOf;
            if (failing && !isOther && now - warnedAt < AGAIN_NANOS) {
                log.debug(message, failure);
            } else {
                if (isReported(failure)) {
                    log.warn("{}: {}", message, line(failure));
                } else {
                    log.warn(message, failure);
                }
                warnedAt = now;
                warnedOf = kind;
                failing = true;
            }
        } catch (RuntimeException | Error noRoomToSaySo) {
            return; // the next failure is logged instead
        }
    }

    /**
     * Notes that the work has succeeded.
     *
     * @param again what works again, for the log if it has failed before
     */
    public void succeeded(String again) {
        if (failures > 0) {
            endOfFailures(again);
        }
    }

    /**
     * Tests whether the work does not recover by itself, as far as can be seen.
     *
     * @return whether it has failed three times in a row or more, and not succeeded since
     */
    public boolean isFailing() {
        return failures >= LASTING;
    }

    private synchronized void endOfFailures(String again) {
        failures = 0;
        if (failing) {
            failing = false;
            try {
                log.info(again);
            } catch (RuntimeException | Error noRoomToSaySo) {
                return;
            }
        }
    }

    private static boolean isReported(Throwable failure) {
        return failure instanceof StoreException
                || failure instanceof ConflictException
                || failure instanceof UncheckedIOException;
    }

    /** Returns the message of a failure and of its first cause in one line. */
    private static String line(Throwable failure) {
        Throwable first = failure;
        while (first.getCause() != null) {
            first = first.getCause();
        }
        String text = first == failure ? failure.getMessage() : failure.getMessage() + " (" + first + ")";
        return String.valueOf(text).replaceAll("\\R\\s*", " ");
    }
}
