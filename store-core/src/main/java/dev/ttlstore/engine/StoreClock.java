package dev.ttlstore.engine;

/**
 * The store's time. It never runs backwards, whatever the clock behind it does, so no expired entry becomes visible again.
 * Thread-safe.
 */
@FunctionalInterface
public interface StoreClock {

    /**
     * Returns the store's time.
     *
     * @return milliseconds since the epoch, never less than an earlier call returned, except that a shared engine takes back what
     *     a server has told whose clock was ahead by more than a day
     */
    long now();
}
