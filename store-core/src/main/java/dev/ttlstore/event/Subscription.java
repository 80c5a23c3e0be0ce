package dev.ttlstore.event;

/**
 * The registration of a listener, an observer or a handler. Thread-safe.
 *
 * <pre>{@code
 * try (Subscription subscription = store.onChange(event -> log.info("{} in {}", event.type(), event.group()))) {
 *     store.group("config").put("theme", "dark"); // the listener has run when put returns
 * }
 * }</pre>
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
