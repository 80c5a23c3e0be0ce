package dev.ttlstore.internal.watch;

/** How many signals a subscriber has requested and not been given. Changed only under the lock of its {@link WatchQueue}. */
final class Demand {

    /** As many as there are, for good. */
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

    /** Nothing more is wanted. */
    void end() {
        over = true;
    }

    /** Whether nothing more is wanted; may be asked without the lock. */
    boolean isOver() {
        return over;
    }
}
