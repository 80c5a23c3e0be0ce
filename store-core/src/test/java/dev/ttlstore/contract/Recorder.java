package dev.ttlstore.contract;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

import dev.ttlstore.event.StoreEvent;
import dev.ttlstore.event.StoreListener;

/** A listener that remembers what it was told, in order. */
public final class Recorder implements StoreListener {

    private final List<StoreEvent> events = Collections.synchronizedList(new ArrayList<>());

    @Override
    public void onEvent(StoreEvent event) {
        events.add(event);
    }

    /** All events so far. */
    public List<StoreEvent> events() {
        synchronized (events) {
            return List.copyOf(events);
        }
    }

    /** The events of one kind so far. */
    public <E extends StoreEvent> List<E> events(Class<E> kind) {
        return events().stream().filter(kind::isInstance).map(kind::cast).toList();
    }

    /** Forgets what was told so far. */
    public void clear() {
        events.clear();
    }
}
