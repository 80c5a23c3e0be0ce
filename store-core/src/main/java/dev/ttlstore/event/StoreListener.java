package dev.ttlstore.event;

import java.util.Objects;

/**
 * Receives every change, in commit order, before the write that made it returns.
 *
 * <pre>{@code
 * Subscription subscription = store.onChange(event -> log.info("{} in {}", event.type(), event.group()));
 * }</pre>
 *
 * <p>One thread at a time calls a listener, often the writing thread, and always after the commit. The listener may
 * call the store. If it throws, the store logs and counts the exception, and the write and the other listeners go on.
 * If the listener itself writes, the events of these writes follow after it has returned. Keep a listener fast, because
 * writers wait for it. It must not wait for another thread that writes to the same store.
 *
 * @since 0.1
 * @see dev.ttlstore.LiveKeyspace#onChange
 * @see StoreEvent
 * @see Watch
 */
@FunctionalInterface
public interface StoreListener {

    /**
     * Handles a change.
     *
     * @param event the change
     */
    void onEvent(StoreEvent event);

    /**
     * Returns whether the listener gets the value in an {@link EntryPut}. The store asks once, when the listener is
     * registered.
     *
     * @return false by default, because values may be secrets
     */
    default boolean wantsValues() {
        return false;
    }

    /**
     * Returns a listener whose {@link EntryPut}s have their values.
     *
     * @param listener receives the changes
     * @return the listener to register
     */
    static StoreListener withValues(StoreListener listener) {
        Objects.requireNonNull(listener, "'listener' must not be null");
        return new StoreListener() {
            @Override
            public void onEvent(StoreEvent event) {
                listener.onEvent(event);
            }

            @Override
            public boolean wantsValues() {
                return true;
            }

            /** Returns the class of the listener inside, for the log. */
            @Override
            public String toString() {
                return listener.getClass().getName();
            }
        };
    }
}
