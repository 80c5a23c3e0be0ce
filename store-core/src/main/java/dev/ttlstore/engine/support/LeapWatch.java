package dev.ttlstore.engine.support;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicReference;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.ttlstore.engine.ClockLeap;

/**
 * Watches a clock for leaps ahead of more than a day, and remembers the last one until it is believed, or until what was written
 * meanwhile is mended. It compares the clock with {@link System#nanoTime}, so a store that was idle for long is not taken for a leap.
 * Thread-safe and lock-free.
 *
 * @since 0.1
 */
public final class LeapWatch {

    private static final Logger log = LoggerFactory.getLogger(LeapWatch.class);

    private final AtomicReference<@Nullable ClockLeap> last = new AtomicReference<>();
    private volatile long begun;
    private volatile long begunNanos = System.nanoTime();

    /** The store's time before the last leap. */
    private volatile long floor = Long.MIN_VALUE;

    /** Creates a watch, which {@link #begin begins} with the first known time. */
    public LeapWatch() {}

    /**
     * Begins at a time.
     *
     * @param now what the clock says, in milliseconds since the epoch
     */
    public void begin(long now) {
        begun = now;
        begunNanos = System.nanoTime();
    }

    /**
     * Begins at a time, where an earlier process has left the store at another one. If the clock is later than that by more than a day, it
     * may have leapt.
     *
     * @param left the last time of that process, in milliseconds since the epoch
     * @param now what the clock says
     */
    public void beginAfter(long left, long now) {
        begin(now);
        floor = left;
        if (!ClockLeap.isBelievable(now, left) && !ClockLeap.isTooEarly(left)) {
            last.set(new ClockLeap(left, 0, System.nanoTime(), ClockLeap.Phase.POSSIBLE));
        }
    }

    /**
     * Goes on after a leap that an earlier process has seen, and after which not all may be mended.
     *
     * @param rightTime the last time that was right, in milliseconds since the epoch
     */
    public void found(long rightTime) {
        if (ClockLeap.isTooEarly(rightTime)) {
            return;
        }
        last.set(new ClockLeap(rightTime, 0, System.nanoTime(), ClockLeap.Phase.FOUND));
        log.info("The clock was ahead when the store was open before. The next purge mends what was written meanwhile");
    }

    /**
     * Takes a step of the clock, and decides whether the store's time follows it: always ahead, and back if that undoes a leap.
     *
     * @param before the store's time, in milliseconds since the epoch
     * @param now what the clock says
     * @return whether the store's time goes on from there
     */
    public boolean follows(long before, long now) {
        if (!ClockLeap.isBelievable(now, before)) {
            leapt(before, now);
        } else if (!ClockLeap.isBelievable(before, now)) {
            return isUndone(before, now);
        }
        return now > before;
    }

    /** Finds out whether as much time has passed. */
    private void leapt(long before, long now) {
        long nanos = System.nanoTime();
        long right = Math.max(before, begun + (nanos - begunNanos) / 1_000_000);
        ClockLeap known = last.get();
        ClockLeap seen = leap();
        // Of leaps that follow each other, only the time before the first one is of use.
        boolean goesOn = seen != null && seen.mayBeAhead(before);
        boolean isNews = !goesOn && !ClockLeap.isBelievable(now, right) && !ClockLeap.isTooEarly(right);
        if (isNews && last.compareAndSet(known, new ClockLeap(right, now - right, nanos, ClockLeap.Phase.AHEAD))) {
            floor = before;
            log.warn(
                    "The clock has leapt ahead by {}, to {}. Entries expire by that; if it was a mistake, what is written meanwhile is"
                            + " mended once the clock is right again. A leap that lasts for a day is believed",
                    Duration.ofMillis(now - right),
                    Instant.ofEpochMilli(now));
        }
        begin(now); // last: a thread that runs out of memory before leaves the leap to the next one
    }

    private boolean isUndone(long before, long now) {
        ClockLeap known = last.get();
        if (known == null || !known.isUndoneBy(before, now)) {
            return false;
        }
        if (known.mayBeAhead(before)) {
            long lead = known.millis() == 0 ? before - now : known.millis();
            long right = Math.min(now, known.rightTime()); // which the clock may have yet to come back to
            if (last.compareAndSet(known, new ClockLeap(right, lead, System.nanoTime(), ClockLeap.Phase.BACK))) {
                log.warn(
                        "The clock was ahead for a while, by {}, and the store's time follows it back to {}. The next purge gives what was"
                                + " written meanwhile the expiry that it should have",
                        Duration.ofMillis(before - now),
                        Instant.ofEpochMilli(now));
            }
        }
        begin(now);
        return true;
    }

    /**
     * Returns the store's time before the last leap. If the clock comes back to an earlier one, the time stops there until it has caught
     * up: readers may have seen what had expired by then.
     *
     * @return milliseconds since the epoch
     */
    public long floor() {
        return floor;
    }

    /**
     * Returns the last leap.
     *
     * @return the leap; null if no process has seen one, or if it is believed, or if what was written meanwhile is mended
     */
    public @Nullable ClockLeap leap() {
        ClockLeap known = last.get();
        return known == null || known.phase() == ClockLeap.Phase.POSSIBLE || known.isBelieved() ? null : known;
    }

    /**
     * Forgets a leap, because what was written meanwhile is mended. If the clock is later than it would be without the leap, or if there
     * was nothing to mend after a leap that an earlier process has seen, the clock may still be ahead.
     *
     * @param leap the leap, as {@link #leap} returned it before the work began
     * @param entries how many entries were mended
     * @param now the present time, in milliseconds since the epoch
     */
    public void mended(ClockLeap leap, long entries, long now) {
        boolean maybeAhead = leap.isLate(now) || (leap.phase() == ClockLeap.Phase.FOUND && entries == 0);
        boolean unused = last.compareAndSet(
                leap, maybeAhead ? new ClockLeap(leap.before(), 0, leap.nanos(), ClockLeap.Phase.AHEAD) : null);
    }
}
