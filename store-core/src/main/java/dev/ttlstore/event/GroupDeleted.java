package dev.ttlstore.event;

import java.time.Instant;

/**
 * All live entries of a group were removed at once. There is no event for the single entries.
 *
 * @param sequence the place of the change in the history of the store
 * @param timestamp the store's time at the change
 * @param group the full name of the group
 * @param entries how many live entries there were, one at least
 */
public record GroupDeleted(long sequence, Instant timestamp, String group, long entries) implements StoreEvent {}
