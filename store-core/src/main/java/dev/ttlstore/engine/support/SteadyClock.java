package dev.ttlstore.engine.support;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.ttlstore.engine.ClockLeap;
import dev.ttlstore.engine.StoreClock;
import dev.ttlstore.exception.StoreException;

/**
 * The time of a store that one process owns: the time of its source, except that it never runs backwards. When the source steps back, the
 * store's time stops until the source has caught up, so that no expired entry becomes visible again. Only a source that was more than a
 * day ahead for a while, and then goes on where it was before, is not believed any more: the store's time follows it back.
 *
 * <p>Thread-safe and lock-free.
 *
 * @since 0.1
 */
public final class SteadyClock implements StoreClock {

    private static final Logger log = LoggerFactory.getLogger(SteadyClock.class);

    /** Clocks often make smaller steps than this, which are not worth a line in the log. */
    private static final long NOTABLE_STEP_MILLIS = 1_000;

    /** Within this limit a time can be added to another, plus one millisecond, without an overflow. */
    private static final long LAST = Long.MAX_VALUE / 4;

    private static final long FIRST = -LAST;

    /** Added to a saved time, so that it is beyond all times: what was written by a clock that was ahead of it may not be mended yet. */
    private static final long UNMENDED = Long.MAX_VALUE / 2;

    private final InstantSource source;
    private final AtomicLong latest;
    private final AtomicBoolean behind = new AtomicBoolean();

    private final LeapWatch leaps = new LeapWatch();

    /**
     * Creates a clock.
     *
     * @param source the source of time
     * @param floor the time that the store had {@linkplain #saved saved} before; 0 for a new store
     */
    public SteadyClock(InstantSource source, long floor) {
        this.source = source;
        long read = read(source);
        boolean unmended = floor > LAST;
        long reached = unmended ? floor - UNMENDED : floor;
        boolean believable = ClockLeap.isBelievable(reached, read);
        if (!believable) {
            log.warn(
                    "The store was last used at {}, {} ahead of the clock. One of the two is wrong; continuing"
                            + " with the clock",
                    Instant.ofEpochMilli(reached),
                    Duration.ofMillis(reached - read));
        }
        this.latest = new AtomicLong(believable ? Math.max(reached, read) : read);
        // A clock that comes back to where the store was has not leapt.
        leaps.beginAfter(reached, believable ? read : reached);
        if (unmended) {
            leaps.found(reached);
        }
    }

    /**
     * Continues at a time that another store had reached, unless it is so far ahead that one of the clocks must be wrong.
     *
     * @param time milliseconds since the epoch
     */
    public void advance(long time) {
        if (ClockLeap.isBelievable(time, read(source))) {
            latest.accumulateAndGet(time, Math::max);
        }
    }

    /**
     * Reads a source, which may return any instant, and limits its time so that it can be calculated with.
     *
     * @param source the source of time
     * @return milliseconds since the epoch
     */
    public static long read(InstantSource source) {
        try {
            return Math.max(FIRST, Math.min(LAST, source.millis()));
        } catch (ArithmeticException e) {
            return source.instant().isBefore(Instant.EPOCH) ? FIRST : LAST;
        }
    }

    @Override
    public long now() {
        return at(read(source));
    }

    /** Returns the store's time when the source says some time. */
    private long at(long read) {
        long seen = latest.get();
        while (leaps.follows(seen, read)) {
            long next = read > seen ? read : Math.max(read, leaps.floor());
            if (latest.compareAndSet(seen, next)) {
                return next;
            }
            seen = latest.get();
        }
        if (seen - read >= NOTABLE_STEP_MILLIS) {
            warnOnce(seen - read);
        } else if (seen == read && behind.get()) {
            behind.set(false);
        }
        return seen;
    }

    @Override
    public void requireRunning() {
        long read = read(source);
        long now = at(read);
        if (!ClockLeap.isBelievable(now, read)) {
            throw new StoreException(
                    "The clock has stepped back by " + Duration.ofMillis(now - read) + ", to "
                            + Instant.ofEpochMilli(read)
                            + ". The store's time stops until the clock has caught up; until then nothing expires",
                    "If the clock is right now, restart the application; if not, set it",
                    null);
        }
    }

    @Override
    public @Nullable ClockLeap leap() {
        return leaps.leap();
    }

    @Override
    public void mended(ClockLeap leap, long entries) {
        leaps.mended(leap, entries, now());
    }

    /**
     * Returns what to save of the time, to begin there at the next opening.
     *
     * @return milliseconds since the epoch. After a leap ahead it is the time that would be right without it, and is marked, until what
     *     was written since is mended or the leap is believed
     */
    long saved() {
        long now = now(); // first, because it may find that the clock has leapt
        ClockLeap leap = leaps.leap();
        if (leap == null) {
            return now;
        }
        return UNMENDED + (leap.mayBeAhead(now) ? Math.max(FIRST, Math.min(LAST, leap.rightTime())) : now);
    }

    private void warnOnce(long stepMillis) {
        if (behind.compareAndSet(false, true)) {
            log.warn(
                    "The clock has stepped back by {}. The store's time stops until the clock has caught up; until"
                            + " then nothing expires",
                    Duration.ofMillis(stepMillis));
        }
    }
}
