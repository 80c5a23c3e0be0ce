package dev.ttlstore.internal.watch;

import org.jspecify.annotations.Nullable;

/** Says within which bounds the sequence numbers of events rise. Numbers of different orders say nothing about each other. */
public interface EventOrders {

    /** One order: the numbers rise across the whole store. */
    EventOrders ONE = watched -> "";

    /**
     * Returns the order of events. Called for each event, by any thread.
     *
     * @param watched the full name of a group, or the prefix of several groups, empty for all
     * @return a name of the order; null if the groups are in several
     */
    @Nullable
    String of(String watched);
}
