package dev.ttlstore.event;

import java.time.Instant;

/**
 * All live entries of a group were removed in one commit. The single entries have no events of their own.
 *
 * @param sequence the place of the change in the history of the store
 * @param timestamp the store's time of the change
 * @param group the name of the group, as in {@link StoreEvent#group()}
 * @param entries how many live entries there were, at least one
 * @since 0.1
 * @see StoreEvent
 * @see dev.ttlstore.Group#clear()
 */
public record GroupDeleted(long sequence, Instant timestamp, String group, long entries) implements StoreEvent {

    @Override
    public String type() {
        return "delete-group";
    }
}
