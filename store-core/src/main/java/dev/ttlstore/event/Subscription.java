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
     * Ends the subscription: no later event is published to it. An event that is being published at the moment may
     * still arrive. Closing again does nothing.
     */
    @Override
    void close();
}
