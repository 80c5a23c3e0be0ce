package dev.ttlstore.internal.base;

import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;

/** A moment until which all parts of one piece of work may wait. */
public final class Deadline {

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
        long nanos = time.compareTo(Duration.ofDays(365)) > 0 ? TimeUnit.DAYS.toNanos(365) : time.toNanos();
        return new Deadline(System.nanoTime() + nanos);
    }

    /**
     * Returns the time that is left.
     *
     * @return zero if the moment has passed
     */
    public Duration left() {
        return Duration.ofNanos(Math.max(0, end - System.nanoTime()));
    }

    /** A wait. */
    @FunctionalInterface
    public interface Wait {

        /**
         * Waits.
         *
         * @param millis how long at most, one or more
         * @throws InterruptedException if the thread is interrupted
         */
        void await(long millis) throws InterruptedException;
    }

    /** A wait that returns whether it succeeded. */
    @FunctionalInterface
    public interface Attempt {

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
     * Waits for a thread that ends by itself, as its {@code join} does. An interrupt does not end the wait, and the
     * thread's interrupt status stays set.
     *
     * @param wait the wait; it returns early only if the awaited condition has come true
     */
    public void await(Wait wait) {
        boolean unused = tryUntil(nanos -> {
            wait.await(Math.max(1, TimeUnit.NANOSECONDS.toMillis(nanos)));
            return true;
        });
    }

    /**
     * Waits until an executor that was shut down has ended its work. An interrupt does not end the wait, and the thread's interrupt
     * status stays set.
     *
     * @param executor the executor
     * @return whether it has ended
     */
    public boolean awaitEnd(ExecutorService executor) {
        return tryUntil(nanos -> executor.awaitTermination(nanos, TimeUnit.NANOSECONDS));
    }

    /**
     * Waits for a condition. An interrupt does not end the wait, and the thread's interrupt status stays set.
     *
     * @param attempt the wait
     * @return whether the awaited condition has come true
     */
    public boolean tryUntil(Attempt attempt) {
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
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
