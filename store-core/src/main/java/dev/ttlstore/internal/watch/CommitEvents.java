package dev.ttlstore.internal.watch;

import java.util.List;

import dev.ttlstore.event.StoreEvent;

/** The events of one commit that the dispatcher still delivers, or a gap. Guarded by the dispatcher's lock. */
public final class CommitEvents {

    private final List<StoreEvent> events;
    private final boolean loss;
    private final long lostFrom;
    private boolean delivered;

    CommitEvents(List<StoreEvent> events) {
        this(events, false, 0);
    }

    private CommitEvents(List<StoreEvent> events, boolean loss, long lostFrom) {
        this.events = events;
        this.loss = loss;
        this.lostFrom = lostFrom;
    }

    /** Creates a gap in place of events that never arrived. */
    static CommitEvents lost(long fromSequence) {
        return new CommitEvents(List.of(), true, fromSequence);
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
