package dev.ttlstore.internal.watch;

import java.util.List;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.event.StoreEvent;

/** The events of one commit that the dispatcher still delivers, or a gap. Guarded by the dispatcher's lock. */
public final class CommitEvents {

    private final List<StoreEvent> events;
    private final @Nullable Long lostFrom;
    private final long bytes;
    private boolean delivered;

    /**
     * Creates the events of a commit.
     *
     * @param events the events
     * @param bytes what they count for; 0 if nobody counts them
     */
    CommitEvents(List<StoreEvent> events, long bytes) {
        this(events, null, bytes);
    }

    private CommitEvents(List<StoreEvent> events, @Nullable Long lostFrom, long bytes) {
        this.events = events;
        this.lostFrom = lostFrom;
        this.bytes = bytes;
    }

    /** Returns what they count for. */
    long bytes() {
        return bytes;
    }

    /** Creates a gap in place of events that never arrived. */
    static CommitEvents lost(long fromSequence) {
        return new CommitEvents(List.of(), fromSequence, 0);
    }

    /** Returns the sequence number from which events are missing; null if all are here. */
    @Nullable
    Long lostFrom() {
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
