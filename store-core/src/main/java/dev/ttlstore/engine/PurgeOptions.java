package dev.ttlstore.engine;

import java.util.List;

/**
 * What to keep of expired rows that are removed.
 *
 * @param retained whether to keep the rows themselves, as retained rows
 * @param subscribers the subscribers for which to record the expiries in their groups
 */
public record PurgeOptions(boolean retained, List<Subscriber> subscribers) {

    /** Keeps nothing. */
    public static final PurgeOptions NOTHING = new PurgeOptions(false, List.of());
}
