package dev.ttlstore.internal.watch;

/**
 * The number of signals that a subscriber has requested and not received yet. Changed only under the lock of its
 * {@link WatchQueue}.
 */
final class Demand {

    /** A demand without limit, which no longer changes. */
    private static final long UNBOUNDED = Long.MAX_VALUE;

    private long pending;
    private volatile boolean over;

    void add(long requested) {
        long sum = pending + requested;
        pending = sum < 0 ? UNBOUNDED : sum;
    }

    void meet() {
        if (pending != UNBOUNDED) {
            pending--;
        }
    }

    boolean isPending() {
        return pending > 0;
    }

    /** Ends the demand: the subscriber wants no more signals. */
    void end() {
        over = true;
    }

    /** Returns whether the demand has ended; may be called without the lock. */
    boolean isOver() {
        return over;
    }
}
