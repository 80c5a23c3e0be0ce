package dev.ttlstore.internal.watch;

import java.util.List;

import dev.ttlstore.event.StoreEvent;

/** The events of one commit that the dispatcher still delivers. Guarded by the dispatcher's lock. */
public final class CommitEvents {

    private final List<StoreEvent> events;
    private boolean delivered;

    CommitEvents(List<StoreEvent> events) {
        this.events = events;
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
