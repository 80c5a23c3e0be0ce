package dev.ttlstore.internal.base;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The store's time: that of its source, except that it never runs backwards. When the source steps back, the store's time
 * stands still until the source has caught up, so that nothing which has expired comes back.
 *
 * <p>Thread-safe, and without a lock.
 */
public final class StoreClock {

    private static final Logger log = LoggerFactory.getLogger(StoreClock.class);

    /** Steps below this are what clocks do; they are not worth a line in the log. */
    private static final long NOTABLE_STEP_MILLIS = 1_000;

    /**
     * A saved time this much ahead of the source is the trace of a clock that was badly wrong once. Following it would keep
     * every entry alive until then, which is worse than what it guards from.
     */
    private static final long BELIEVABLE_LEAD_MILLIS = Duration.ofDays(1).toMillis();

    /** Within these a time can be added to another, and one more millisecond, without an overflow. */
    private static final long LAST = Long.MAX_VALUE / 4;

    private static final long FIRST = -LAST;

    private final InstantSource source;
    private final AtomicLong latest;
    private final AtomicBoolean behind = new AtomicBoolean();

    /**
     * Starts a clock.
     *
     * @param source where time comes from
     * @param floor the time that the store had reached before, in milliseconds since the epoch; 0 for a new store
     */
    public StoreClock(InstantSource source, long floor) {
        this.source = source;
        long lead = floor - read(source);
        if (lead > BELIEVABLE_LEAD_MILLIS) {
            log.warn(
                    "The store was last used at {}, {} ahead of the clock. One of the two is wrong; going on with the clock",
                    Instant.ofEpochMilli(floor),
                    Duration.ofMillis(lead));
        }
        this.latest = new AtomicLong(lead > BELIEVABLE_LEAD_MILLIS ? Long.MIN_VALUE : floor);
    }

    /** A source may tell any instant; what is beyond the store's times is as good as the last one of them, or the first. */
    private static long read(InstantSource source) {
        try {
            return Math.max(FIRST, Math.min(LAST, source.millis()));
        } catch (ArithmeticException e) {
            return source.instant().isBefore(Instant.EPOCH) ? FIRST : LAST;
        }
    }

    /**
     * Tells the store's time.
     *
     * @return milliseconds since the epoch, never less than an earlier call returned
     */
    public long now() {
        long read = read(source);
        long seen = latest.get();
        while (read > seen) {
            if (latest.compareAndSet(seen, read)) {
                return read;
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

    private void warnOnce(long stepMillis) {
        if (behind.compareAndSet(false, true)) {
            log.warn(
                    "The clock has stepped back by {}. The store's time stands still until the clock has caught up;"
                            + " until then nothing expires",
                    Duration.ofMillis(stepMillis));
        }
    }
}
