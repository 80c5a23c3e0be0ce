package dev.ttlstore.internal.watch;

import java.util.List;

import dev.ttlstore.event.StoreEvent;

/** The events of one commit that the dispatcher still delivers, or a gap. Guarded by the dispatcher's lock. */
public final class CommitEvents {

    private final List<StoreEvent> events;
    private final boolean loss;
    private final long lostFrom;
    private final long bytes;
    private boolean delivered;

    /**
     * Creates the events of a commit.
     *
     * @param events the events
     * @param bytes what they count for; 0 if nobody counts them
     */
    CommitEvents(List<StoreEvent> events, long bytes) {
        this(events, false, 0, bytes);
    }

    private CommitEvents(List<StoreEvent> events, boolean loss, long lostFrom, long bytes) {
        this.events = events;
        this.loss = loss;
        this.lostFrom = lostFrom;
        this.bytes = bytes;
    }

    /** Returns what they count for. */
    long bytes() {
        return bytes;
    }

    /** Creates a gap in place of events that never arrived. */
    static CommitEvents lost(long fromSequence) {
        return new CommitEvents(List.of(), true, fromSequence, 0);
    }

    /** Tests whether events never arrived. */
    boolean isLoss() {
        return loss;
    }

    /** Returns the sequence number from which events are missing. */
    long lostFrom() {
        return lostFrom;
    }

    List<StoreEvent> events() {
        return events;
    }

    boolean isDelivered() {
        return delivered;
    }

    void markDelivered() {
        delivered = true;
    }
}
