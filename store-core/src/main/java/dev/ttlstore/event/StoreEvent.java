package dev.ttlstore.event;

import java.time.Instant;

/**
 * A committed change. Each change has one event, in commit order. An event has a value only if its receiver has asked
 * for values.
 *
 * <pre>{@code
 * store.onChange(event -> {
 *     if (event instanceof EntryExpired expired) {
 *         log.info("{} of {} expired at {}", expired.key(), expired.group(), expired.expiresAt());
 *     }
 * });
 * }</pre>
 *
 * <p>Events are immutable and may be passed between threads. A new expiry of an entry is not an event; the end of the
 * entry is.
 *
 * @since 0.1
 * @see StoreListener
 * @see Watch
 */
public sealed interface StoreEvent permits EntryPut, EntryDeleted, EntryExpired, GroupDeleted {

    /**
     * Returns the kind of change, as a name for logs and messages that stays the same in later releases. It is not a
     * component of the records, so a JSON library writes it only if you configure that, for example with a Jackson
     * mixin.
     *
     * @return {@code put}, {@code delete}, {@code expire} or {@code delete-group}
     */
    String type();

    /**
     * Returns the place of the change in the history of the store.
     *
     * @return a number larger than that of every earlier event; numbers may be skipped
     */
    long sequence();

    /**
     * Returns the store's time of the change.
     *
     * @return the time, to the millisecond
     */
    Instant timestamp();

    /**
     * Returns the group that changed. An event of a {@link dev.ttlstore.Scope} has the name within the scope, every
     * other event the full name.
     *
     * @return the name
     */
    String group();
}
