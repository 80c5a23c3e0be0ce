package dev.ttlstore.engine.support;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.ttlstore.engine.StoreClock;

/**
 * The time of a store that one process owns: the time of its source, except that it never runs backwards. When the source steps back, the
 * store's time stops until the source has caught up, so that no expired entry becomes visible again. Only a source that was more than a
 * day ahead for a while, and then goes on where it was before, is not believed any more: the store's time follows it back.
 *
 * <p>Thread-safe and lock-free.
 */
public final class SteadyClock implements StoreClock {

    private static final Logger log = LoggerFactory.getLogger(SteadyClock.class);

    /** Clocks often make smaller steps than this, which are not worth a line in the log. */
    private static final long NOTABLE_STEP_MILLIS = 1_000;

    /**
     * A saved time this far ahead of the source comes from a clock that was badly wrong once. Following it would keep
     * every entry alive until then, which is worse than the danger it averts.
     */
    private static final long BELIEVABLE_LEAD_MILLIS = Duration.ofDays(1).toMillis();

    /** Within this limit a time can be added to another, plus one millisecond, without an overflow. */
    private static final long LAST = Long.MAX_VALUE / 4;

    private static final long FIRST = -LAST;

    private final InstantSource source;
    private final AtomicLong latest;
    private final AtomicBoolean behind = new AtomicBoolean();

    /** The last leap ahead of more than a day; null if there was none. */
    private volatile @Nullable Leap leap;

    /**
     * A leap ahead of the source.
     *
     * @param before the store's time before it, in milliseconds since the epoch
     * @param nanos when that was, as {@link System#nanoTime} tells it
     */
    private record Leap(long before, long nanos) {

        private long millis() {
            return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - nanos);
        }

        /** Tests whether it is so long ago that the time after it must be right. */
        private boolean isBelieved() {
            return millis() > BELIEVABLE_LEAD_MILLIS;
        }

        /** Tests whether a time is what it would be without the leap. */
        private boolean isUndoneBy(long time) {
            return !isBelieved() && Math.abs(time - before - millis()) <= BELIEVABLE_LEAD_MILLIS;
        }
    }

    /**
     * Creates a clock.
     *
     * @param source the source of time
     * @param floor the time that the store had reached before, in milliseconds since the epoch; 0 for a new store
     */
    public SteadyClock(InstantSource source, long floor) {
        this.source = source;
        long lead = floor - read(source);
        if (lead > BELIEVABLE_LEAD_MILLIS) {
            log.warn(
                    "The store was last used at {}, {} ahead of the clock. One of the two is wrong; continuing"
                            + " with the clock",
                    Instant.ofEpochMilli(floor),
                    Duration.ofMillis(lead));
        }
        this.latest = new AtomicLong(lead > BELIEVABLE_LEAD_MILLIS ? floor - lead : Math.max(floor, floor - lead));
    }

    /**
     * Continues at a time that another store had reached, unless it is so far ahead that one of the clocks must be wrong.
     *
     * @param time milliseconds since the epoch
     */
    public void advance(long time) {
        if (time - read(source) <= BELIEVABLE_LEAD_MILLIS) {
            latest.accumulateAndGet(time, Math::max);
        }
    }

    /** Reads the source, which may return any instant, and limits it to the store's first and last times. */
    private static long read(InstantSource source) {
        try {
            return Math.max(FIRST, Math.min(LAST, source.millis()));
        } catch (ArithmeticException e) {
            return source.instant().isBefore(Instant.EPOCH) ? FIRST : LAST;
        }
    }

    @Override
    public long now() {
        long read = read(source);
        long seen = latest.get();
        while (read > seen) {
            if (latest.compareAndSet(seen, read)) {
                if (read - seen > BELIEVABLE_LEAD_MILLIS) {
                    leapt(seen);
                }
                return read;
            }
            seen = latest.get();
        }
        if (seen - read >= NOTABLE_STEP_MILLIS) {
            if (isRightAgain(seen, read) && latest.compareAndSet(seen, read)) {
                log.warn(
                        "The clock was {} ahead for a while. The store's time follows it back; what was written meanwhile with a"
                                + " ttl expires that much later",
                        Duration.ofMillis(seen - read));
                return read;
            }
            warnOnce(seen - read);
        } else if (seen == read && behind.get()) {
            behind.set(false);
        }
        return seen;
    }

    private void leapt(long before) {
        Leap last = leap;
        if (last == null || last.isBelieved()) {
            leap = new Leap(before, System.nanoTime());
        }
    }

    private boolean isRightAgain(long seen, long read) {
        Leap last = leap;
        return seen - read > BELIEVABLE_LEAD_MILLIS && last != null && last.isUndoneBy(read);
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
