package dev.ttlstore.engine;

import java.util.List;

/**
 * What is to be kept of expired rows that are removed.
 *
 * @param retained whether to keep them among the retained rows
 * @param subscribers for whom to record those in their groups
 */
public record PurgeOptions(boolean retained, List<Subscriber> subscribers) {

    /** Nothing is kept. */
    public static final PurgeOptions NOTHING = new PurgeOptions(false, List.of());
}
