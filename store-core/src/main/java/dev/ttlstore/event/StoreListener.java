package dev.ttlstore.event;

/**
 * Told of every change, in commit order, by the time that the write which made it returns.
 *
 * <p>A listener is called by one thread at a time, often by the thread that wrote, and after the commit: it may call the
 * store, and what it throws harms neither the write nor other listeners, but is logged and counted. The events of its own
 * writes come after the event at hand, once it has returned. It should be quick, for writers wait for it, and it must not
 * wait for another thread that writes to the same store.
 */
@FunctionalInterface
public interface StoreListener {

    /**
     * Takes note of a change.
     *
     * @param event what has happened
     */
    void onEvent(StoreEvent event);
}
