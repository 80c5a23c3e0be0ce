package dev.ttlstore.postgresql;

import java.util.UUID;

/**
 * A node of a store: what all of its commits and reads share.
 *
 * @param id its id
 * @param connections the connections
 * @param slots the slots
 * @param timeouts how long the server lets transactions wait
 * @param clock the server's time
 * @param cursor how far this node has come in the log
 * @param backlog what this node knows of rows to purge
 * @param timelines the servers from which numbers may be handed out
 * @param finalTimes makes times final that somebody has seen
 */
record NodeContext(
        UUID id,
        Connections connections,
        Slots slots,
        Timeouts timeouts,
        ServerClock clock,
        LogCursor cursor,
        CrowdedSlots backlog,
        Timelines timelines,
        FinalTimes finalTimes) {

    /** Tests whether the tables are distributed by slot, so that not every statement is possible. */
    boolean isDistributed() {
        return connections.sql().isDistributed();
    }
}
