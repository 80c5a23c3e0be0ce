package dev.ttlstore.event;

/**
 * Measures how long the work of a store takes; {@link dev.ttlstore.Store#activity} counts it. The threads that do the
 * work call the observer, several at once, and some while other writers wait. So an observer must be thread-safe and
 * fast, and must not call the store. If it throws, the exception is logged and has no other effect. All times are in
 * nanoseconds.
 *
 * <pre>{@code
 * LongSummaryStatistics writes = new LongSummaryStatistics();
 * Subscription subscription = store.observe(new StoreObserver() {
 *     @Override
 *     public synchronized void written(long nanos) {
 *         writes.accept(nanos);
 *     }
 * });
 * }</pre>
 *
 * @since 0.1
 * @see dev.ttlstore.Store#observe
 * @see dev.ttlstore.Store#activity()
 */
public interface StoreObserver {

    /**
     * Receives the time of a caller's write, from the call until the listeners have returned. Not called for a write
     * that throws, nor for the writes within a transaction, which counts as one write.
     *
     * @param nanos how long it took
     */
    default void written(long nanos) {}

    /**
     * Receives the time of a commit.
     *
     * @param writes how many calls shared it, at least one
     * @param nanos how long it took, from loading its rows until the engine had committed
     */
    default void committed(int writes, long nanos) {}

    /**
     * Receives the time of a purge.
     *
     * @param entries how many expired entries it deleted, zero or more
     * @param nanos how long it took
     */
    default void purged(long entries, long nanos) {}
}
