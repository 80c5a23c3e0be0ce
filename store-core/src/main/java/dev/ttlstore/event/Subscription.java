package dev.ttlstore.event;

/** What a listener has signed up for. Thread-safe. */
public interface Subscription extends AutoCloseable {

    /**
     * Ends the subscription: no event that is committed from now on is told. An event being told meanwhile may still
     * arrive. Closing again does nothing.
     */
    @Override
    void close();
}
