package dev.ttlstore.internal.base;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** A moment until which the parts of one piece of work may wait, together. */
public final class Deadline {

    private final long end;

    private Deadline(long end) {
        this.end = end;
    }

    /**
     * Some time from now.
     *
     * @param time how long
     * @return the deadline
     */
    public static Deadline in(Duration time) {
        long nanos = time.compareTo(Duration.ofDays(365)) > 0 ? TimeUnit.DAYS.toNanos(365) : time.toNanos();
        return new Deadline(System.nanoTime() + nanos);
    }

    /** A wait. */
    @FunctionalInterface
    public interface Wait {

        /**
         * Waits.
         *
         * @param millis for how long at most, one or more
         * @throws InterruptedException if the thread is interrupted
         */
        void await(long millis) throws InterruptedException;
    }

    /** A wait that tells whether it came to its end. */
    @FunctionalInterface
    public interface Attempt {

        /**
         * Waits.
         *
         * @param nanos for how long at most
         * @return whether what was waited for has come
         * @throws InterruptedException if the thread is interrupted
         */
        boolean await(long nanos) throws InterruptedException;
    }

    /**
     * Waits for a thread that ends by itself, as its {@code join} does. An interrupt does not end the wait, and is kept.
     *
     * @param wait the wait; it returns early only when what is waited for has come
     */
    public void await(Wait wait) {
        boolean unused = tryUntil(nanos -> {
            wait.await(Math.max(1, TimeUnit.NANOSECONDS.toMillis(nanos)));
            return true;
        });
    }

    /**
     * Waits. An interrupt does not end the wait, and is kept.
     *
     * @param attempt the wait
     * @return whether what was waited for has come
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
