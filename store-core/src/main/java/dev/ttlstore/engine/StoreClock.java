package dev.ttlstore.engine;

import java.time.Clock;
import java.time.InstantSource;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.exception.StoreException;

/**
 * The store's time. It never runs backwards, whatever the clock behind it does, so no expired entry becomes visible again. Only a clock
 * that was ahead by more than a day is followed back. Thread-safe.
 *
 * @since 0.1
 */
@FunctionalInterface
public interface StoreClock {

    /**
     * Tests whether a source is the system's clock.
     *
     * @param source the source of time
     * @return true if it is
     */
    static boolean isOfSystem(InstantSource source) {
        return source.equals(InstantSource.system())
                || (source instanceof Clock zoned && zoned.equals(Clock.system(zoned.getZone())));
    }

    /**
     * Returns the store's time.
     *
     * @return milliseconds since the epoch, never less than an earlier call returned, unless the clock was ahead by more than a day
     *     and is right again
     */
    long now();

    /**
     * Checks that the time goes on, or will soon.
     *
     * @throws StoreException if it stands still, because the clock behind it has stepped back by more than a day
     */
    default void requireRunning() {}

    /**
     * Returns the last leap of the clock ahead by more than a day, as far as this process has to do with it.
     *
     * @return the leap; null if there was none, if it is believed by now, or if what was written meanwhile is mended
     */
    default @Nullable ClockLeap leap() {
        return null;
    }

    /**
     * Returns a clock that knows of no leap, for what was decided before there was one.
     *
     * @return a clock with the same time
     */
    @SuppressWarnings("UnnecessaryMethodReference") // this clock may know of a leap
    default StoreClock withoutLeap() {
        return this::now;
    }

    /**
     * Notes that what was written by a clock that was ahead is mended.
     *
     * @param leap the leap, as {@link #leap} returned it before the work began. If there was another one since, nothing changes
     * @param entries how many entries were mended
     */
    default void mended(ClockLeap leap, long entries) {}
}
