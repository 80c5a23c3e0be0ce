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
 */
public final class LeapWatch {

    private static final Logger log = LoggerFactory.getLogger(LeapWatch.class);

    private final AtomicReference<@Nullable ClockLeap> last = new AtomicReference<>();

    /** The leap that the clock may have made while no process ran; null if it was where the last one had left it. */
    private volatile @Nullable ClockLeap unseen;

    private volatile long begun;
    private volatile long begunNanos = System.nanoTime();

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
     * Notes that the clock is ahead of the last time of an earlier process by more than a day. Mostly as much time has passed. But a
     * machine may have started with a wrong clock, which is set right later.
     *
     * @param last that last time, in milliseconds since the epoch
     */
    public void beganAfter(long last) {
        if (!ClockLeap.isTooEarly(last)) {
            unseen = new ClockLeap(last, 0, System.nanoTime(), ClockLeap.Phase.AHEAD);
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
     * Takes a step of the clock ahead by more than a day, and finds out whether as much time has passed.
     *
     * @param before the time before the step, in milliseconds since the epoch
     * @param now the time after it
     */
    public void stepped(long before, long now) {
        long nanos = System.nanoTime();
        long right = Math.max(before, begun + (nanos - begunNanos) / 1_000_000);
        begin(now);
        ClockLeap known = last.get();
        boolean goesOn = known != null && known.mayBeAhead() && !known.isBelieved();
        if (goesOn || ClockLeap.isBelievable(now, right) || ClockLeap.isTooEarly(right)) {
            return; // of leaps that follow each other, only the time before the first one is of use
        }
        if (last.compareAndSet(known, new ClockLeap(right, now - right, nanos, ClockLeap.Phase.AHEAD))) {
            log.warn(
                    "The clock has leapt ahead by {}, to {}. Entries expire by that; if it was a mistake, what is written meanwhile is"
                            + " mended once the clock is right again. A leap that lasts for a day is believed",
                    Duration.ofMillis(now - right),
                    Instant.ofEpochMilli(now));
        }
    }

    /**
     * Takes a step of the clock back, and finds out whether it undoes a leap.
     *
     * @param before the time before the step back, in milliseconds since the epoch
     * @param now the time after it
     * @return whether the clock was ahead and is right again
     */
    public boolean isUndoneBy(long before, long now) {
        ClockLeap known = leapOrUnseen();
        return known != null && known.isUndoneBy(before, now);
    }

    /**
     * Notes that the clock is right again.
     *
     * @param before the time before the step back, in milliseconds since the epoch
     * @param now the time after it
     */
    public void undone(long before, long now) {
        ClockLeap seen = last.get();
        ClockLeap known = leapOrUnseen();
        if (known != null && known.mayBeAhead()) {
            long lead = known.millis() == 0 ? before - now : known.millis();
            ClockLeap back = new ClockLeap(now, lead, System.nanoTime(), ClockLeap.Phase.BACK);
            if (last.compareAndSet(seen, back)) {
                unseen = null;
                log.warn(
                        "The clock was ahead for a while, by {}, and the store's time follows it back to {}. The next purge gives what was"
                                + " written meanwhile the expiry that it should have",
                        Duration.ofMillis(before - now),
                        Instant.ofEpochMilli(now));
            }
        }
        begin(now);
    }

    private @Nullable ClockLeap leapOrUnseen() {
        ClockLeap known = leap();
        return known == null ? unseen : known;
    }

    /**
     * Returns the last leap.
     *
     * @return the leap; null if there was none, or if it is believed, or if what was written meanwhile is mended
     */
    public @Nullable ClockLeap leap() {
        ClockLeap known = last.get();
        return known == null || known.isBelieved() ? null : known;
    }

    /**
     * Forgets a leap, because what was written meanwhile is mended. If there was nothing to mend after a leap that an earlier process
     * has seen, the clock may still be ahead.
     *
     * @param leap the leap, as {@link #leap} returned it before the work began
     * @param entries how many entries were mended
     */
    public void mended(ClockLeap leap, long entries) {
        boolean maybeAhead = leap.phase() == ClockLeap.Phase.FOUND && entries == 0;
        boolean unused = last.compareAndSet(
                leap, maybeAhead ? new ClockLeap(leap.before(), 0, leap.nanos(), ClockLeap.Phase.AHEAD) : null);
    }
}
