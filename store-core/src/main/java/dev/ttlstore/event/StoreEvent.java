package dev.ttlstore.event;

import java.time.Instant;

/**
 * A change that has been committed. There is one event for each change, in commit order; an event never holds a value.
 *
 * <p>Events are immutable and may be passed between threads. Changing when an entry expires is no event: its end is.
 */
public sealed interface StoreEvent permits EntryPut, EntryDeleted, EntryExpired, GroupDeleted {

    /**
     * The place of the change in the history of the store.
     *
     * @return a number larger than that of every earlier event; numbers may be skipped
     */
    long sequence();

    /**
     * The store's time at the change.
     *
     * @return the time, to the millisecond
     */
    Instant timestamp();

    /**
     * The group that changed.
     *
     * @return the full name of the group, as the store itself knows it
     */
    String group();
}
