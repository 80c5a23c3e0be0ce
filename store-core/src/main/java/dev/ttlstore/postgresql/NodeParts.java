package dev.ttlstore.postgresql;

import java.util.UUID;

/**
 * What all commits and reads of a store share.
 *
 * @param node the id of this node
 * @param connections the connections
 * @param slots the slots
 * @param timeouts how long the server lets transactions wait
 * @param times the server's time
 * @param following how far this node has come in the log
 * @param backlog what this node knows of rows to purge
 * @param timelines the servers from which numbers may be handed out
 */
record NodeParts(
        UUID node,
        Connections connections,
        Slots slots,
        Timeouts timeouts,
        Times times,
        Following following,
        CrowdedSlots backlog,
        Timelines timelines) {

    /** Tests whether the tables are distributed by slot, so that not every statement is possible. */
    boolean isDistributed() {
        return connections.sql().isDistributed();
    }
}
