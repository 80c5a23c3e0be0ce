package dev.ttlstore.engine;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.TimeUnit;

/**
 * A leap of the store's clock ahead by more than a day. Nobody knows at first whether the clock is wrong now or was wrong before. If it
 * soon goes on where it would be without the leap, it was wrong meanwhile, and what was written by it has to be mended. If not, it is
 * believed.
 *
 * @param before where the clock was before the leap, or would have been without it when it came back, in milliseconds since the epoch
 * @param millis how far it has leapt; 0 if this process has not seen it
 * @param nanos when that was, as {@link System#nanoTime} tells it
 * @param phase what has become of it
 * @since 0.1
 */
public record ClockLeap(long before, long millis, long nanos, Phase phase) {

    /**
     * A time this far ahead of the clock comes from a clock that was badly wrong once. Going on with it would keep every entry alive
     * until then, which is worse than the danger that it averts. A clock that has leapt is believed after as long.
     */
    public static final long MOST_MILLIS = Duration.ofDays(1).toMillis();

    /** No clock that is earlier than this can be right, because the store was not made yet. Machines without a battery start in 1970. */
    private static final long EARLIEST_MILLIS =
            Instant.parse("2025-01-01T00:00:00Z").toEpochMilli();

    /** What has become of a leap. */
    public enum Phase {

        /**
         * No process has seen it: the clock is later than the last one has left it. Mostly as much time has passed, but a machine may
         * have started with a wrong clock.
         */
        POSSIBLE,

        /** The clock goes on from where it has leapt to. */
        AHEAD,

        /** The clock is back, and what was written by it is to be mended. */
        BACK,

        /** An earlier process has seen it, and this one knows neither whether the clock is back nor whether all is mended. */
        FOUND
    }

    /**
     * Tests whether a time may be right, and does not come from a clock that was ahead by more than a day.
     *
     * @param time the time, in milliseconds since the epoch
     * @param now the present time
     * @return whether it may be right
     */
    public static boolean isBelievable(long time, long now) {
        return time <= now + MOST_MILLIS;
    }

    /**
     * Tests whether a time is certainly wrong. A leap that begins there is a clock that was set right.
     *
     * @param time the time, in milliseconds since the epoch
     * @return whether it is from before there was such a store
     */
    public static boolean isTooEarly(long time) {
        return time < EARLIEST_MILLIS;
    }

    /**
     * Tests whether what is written now is written by a clock that may be wrong. One that is back, but more than a day later than it
     * would be without the leap, may come back further.
     *
     * @param now the present time, in milliseconds since the epoch
     * @return whether it is, as far as this process knows
     */
    public boolean mayBeAhead(long now) {
        return phase != Phase.BACK || isLate(now);
    }

    /**
     * Tests whether a clock is later than it would be without the leap.
     *
     * @param now the present time, in milliseconds since the epoch
     * @return whether it is, by more than a day
     */
    public boolean isLate(long now) {
        return now > rightTime() + MOST_MILLIS;
    }

    /**
     * Tests whether entries from after a time are to be mended. A clock that is behind where it was before the leap is wrong in another
     * way, as after a start in 1970, and nothing can be concluded from it.
     *
     * @param now the present time, in milliseconds since the epoch
     * @return whether they are
     */
    public boolean isToMend(long now) {
        return (phase == Phase.BACK || phase == Phase.FOUND) && isBelievable(before, now);
    }

    /**
     * Returns the time that it would be without the leap.
     *
     * @return milliseconds since the epoch
     */
    public long rightTime() {
        return before + elapsed();
    }

    /**
     * Tests whether the leap is so long ago that the time after it must be right.
     *
     * @return whether more than a day has passed since, and the clock is not back
     */
    public boolean isBelieved() {
        return phase != Phase.BACK && elapsed() > MOST_MILLIS;
    }

    /**
     * Tests whether a clock is where it would be without the leap, or within a day of it. Nobody counts the time while no process runs or
     * the machine is suspended, so the clock may also be later than that, if it is nearer to it than to where it was.
     *
     * @param seen where the clock was before its step back, in milliseconds since the epoch
     * @param time what it says now
     * @return whether that is the right time
     */
    public boolean isUndoneBy(long seen, long time) {
        long late = time - rightTime();
        return !isBelieved() && late >= -MOST_MILLIS && late <= Math.max(MOST_MILLIS, seen - time);
    }

    private long elapsed() {
        return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - nanos);
    }

    /**
     * Returns an entry as it would be if it had been written now, if it was written by a clock that was ahead.
     *
     * @param row the entry
     * @param now the present time, in milliseconds since the epoch
     * @return the entry with the times that are not believable moved to now, and the expiry as much earlier as the last of them; the same
     *     object if its times are believable
     */
    public static Row mended(Row row, long now) {
        boolean updated = isBelievable(row.updatedAt(), now);
        boolean created = isBelievable(row.createdAt(), now);
        if (updated && created) {
            return row;
        }
        // One that expires before it was written got its expiry from a right clock since.
        boolean shifts = !updated && row.expiresAt() != Row.NEVER && row.expiresAt() > row.updatedAt();
        return new Row(
                row.key(),
                row.storedValue(),
                row.version(),
                created ? row.createdAt() : now,
                updated ? row.updatedAt() : now,
                shifts ? now + (row.expiresAt() - row.updatedAt()) : row.expiresAt(),
                row.damaged());
    }
}
