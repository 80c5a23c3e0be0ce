package dev.ttlstore.postgresql;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;

/**
 * How long a commit is on its way to the server and back, and how long the server works for it. While it is on its way for longer, another commit
 * is worth sending beside those that are under way: it arrives when they are done. Otherwise it would wait for the server or for the
 * lock of a slot, and a later one with more writes takes less time. Thread-safe.
 */
final class CommitTimes {

    /** How long the shortest way counts, once or twice. */
    private static final long WINDOW_NANOS = Duration.ofSeconds(5).toNanos();

    /** The part of a new time in the mean of all. */
    private static final double NEW_PART = 1 / 16.0;

    private final LongSupplier nanoTime;
    private final AtomicInteger underWay = new AtomicInteger();

    private volatile long shortest = Long.MAX_VALUE;
    private volatile long before = Long.MAX_VALUE;
    private volatile long since;

    /** The mean of how many answers commits have waited for. */
    private volatile double answers = Double.NaN;

    /** The mean of what commits have taken beyond their ways, each divided by how many were under way, in nanoseconds. */
    private volatile double work = Double.NaN;

    CommitTimes(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
        this.since = nanoTime.getAsLong();
    }

    long now() {
        return nanoTime.getAsLong();
    }

    /**
     * Notes that the server has answered something that was sent at a time. The shortest answers take no longer than the way.
     *
     * @return the present time
     */
    long answered(long sentAt) {
        long now = nanoTime.getAsLong();
        if (now - since > WINDOW_NANOS) {
            since = now;
            before = shortest;
            shortest = Long.MAX_VALUE;
        }
        if (now - sentAt < shortest) {
            shortest = now - sentAt;
        }
        return now;
    }

    /** Notes that a commit is about to be sent. Returns how many are under way with it. */
    int begin() {
        return underWay.incrementAndGet();
    }

    /**
     * Notes that a commit has ended.
     *
     * @param sentAt when it began
     * @param beside how many were under way then
     * @param answered how many answers of the server it has waited for; 0 if it was not made, or does not count
     */
    void end(long sentAt, int beside, int answered) {
        int unused = underWay.decrementAndGet();
        if (answered > 0) {
            long taken = Math.max(0, nanoTime.getAsLong() - sentAt - answered * way());
            answers = mean(answers, answered);
            work = mean(work, (double) taken / beside);
        }
    }

    private static double mean(double before, double next) {
        return Double.isNaN(before) ? next : before + (next - before) * NEW_PART;
    }

    /** Returns how long the shortest answers take; {@link Long#MAX_VALUE} before the first one. */
    long way() {
        return Math.min(shortest, before);
    }

    /** Returns how many commits are worth being under way at the same time. */
    int worthwhile() {
        long way = way();
        double each = work;
        return way == Long.MAX_VALUE || Double.isNaN(each)
                ? 1
                : (int) Math.min(Integer.MAX_VALUE, 1 + Math.round(way * answers / Math.max(1, each)));
    }
}
