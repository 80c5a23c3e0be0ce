package dev.ttlstore.event;

/**
 * The registration of a listener, an observer or a handler. Thread-safe.
 *
 * @since 0.1
 * @see dev.ttlstore.LiveKeyspace#onChange
 * @see dev.ttlstore.ExpiryEvents
 * @see dev.ttlstore.Store#observe
 */
public interface Subscription extends AutoCloseable {

    /**
     * Ends the subscription. An event that the store is publishing at this moment may still arrive, and no later one.
     * Closing again does nothing.
     */
    @Override
    void close();
}
