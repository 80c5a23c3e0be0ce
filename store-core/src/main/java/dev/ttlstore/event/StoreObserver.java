package dev.ttlstore.event;

/**
 * Told how long the work of a store takes, for measurements; {@link dev.ttlstore.Store#activity} counts it. Calls come from
 * the threads that do the work, several at once, and some while other writers wait: an observer must be thread-safe and
 * quick, and must not call the store. What it throws is logged and harms nothing. All times are nanoseconds.
 */
public interface StoreObserver {

    /**
     * A caller's write is done: from the call until its listeners had been told. Not called for a write that throws, nor for
     * those within a transaction, which counts as one.
     *
     * @param nanos how long it took
     */
    default void written(long nanos) {}

    /**
     * A commit is done.
     *
     * @param writes how many calls shared it, one at least
     * @param nanos how long it took, from loading its rows until the engine had committed
     */
    default void committed(int writes, long nanos) {}

    /**
     * A purge has run.
     *
     * @param entries how many expired entries it has removed, zero or more
     * @param nanos how long it took
     */
    default void purged(long entries, long nanos) {}
}
