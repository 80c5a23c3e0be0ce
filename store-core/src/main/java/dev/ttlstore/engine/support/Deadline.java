package dev.ttlstore.engine.support;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * A moment until which all parts of one piece of work may wait.
 *
 * @since 0.1
 */
public final class Deadline {

    private static final Duration LONGEST = Duration.ofDays(365);

    private final long end;

    private Deadline(long end) {
        this.end = end;
    }

    /**
     * Returns a deadline some time from now.
     *
     * @param time the time
     * @return the deadline
     */
    public static Deadline in(Duration time) {
        return new Deadline(System.nanoTime() + (time.compareTo(LONGEST) > 0 ? LONGEST : time).toNanos());
    }

    /**
     * Returns a deadline for what takes as long as it takes.
     *
     * @return a deadline that nobody reaches
     */
    public static Deadline none() {
        return in(LONGEST);
    }

    /**
     * Returns the time that is left.
     *
     * @return zero if the moment has passed
     */
    public Duration left() {
        return Duration.ofNanos(Math.max(0, end - System.nanoTime()));
    }

    /** A wait that returns whether it succeeded. */
    @FunctionalInterface
    public interface TimedWait {

        /**
         * Waits.
         *
         * @param nanos how long at most
         * @return whether the awaited condition has come true
         * @throws InterruptedException if the thread is interrupted
         */
        boolean await(long nanos) throws InterruptedException;
    }

    /**
     * Waits until a thread has ended. An interrupt does not end the wait, and the caller's interrupt status stays set.
     *
     * @param thread the thread
     */
    public void await(Thread thread) {
        boolean unused = tryUntil(nanos -> {
            thread.join(Math.max(1, TimeUnit.NANOSECONDS.toMillis(nanos)));
            return true;
        });
    }

    /**
     * Waits for a condition. An interrupt does not end the wait, and the thread's interrupt status stays set.
     *
     * @param attempt the wait
     * @return whether the awaited condition has come true
     */
    public boolean tryUntil(TimedWait attempt) {
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return attempt.await(Math.max(0, end - System.nanoTime()));
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        } finally {
            restoreInterrupt(interrupted);
        }
    }

    /**
     * Sets the interrupt status of the thread again, after a wait that went on in spite of an interrupt.
     *
     * @param interrupted whether there was one
     */
    public static void restoreInterrupt(boolean interrupted) {
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
