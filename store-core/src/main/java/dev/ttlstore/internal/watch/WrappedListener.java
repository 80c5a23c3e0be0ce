package dev.ttlstore.internal.watch;

import java.util.function.UnaryOperator;

import dev.ttlstore.event.StoreEvent;
import dev.ttlstore.event.StoreListener;

/**
 * A caller's listener, as the store holds it.
 *
 * @param held stays reachable while the listener is registered
 * @param listener the listener
 * @param mapping converts events to those that it gets
 */
public record WrappedListener(Object held, StoreListener listener, UnaryOperator<StoreEvent> mapping)
        implements StoreListener {

    @Override
    public void onEvent(StoreEvent event) {
        listener.onEvent(mapping.apply(event));
    }

    @Override
    public boolean wantsValues() {
        return listener.wantsValues();
    }

    /** Returns the class of the caller's listener. The text of the listener itself may hold secrets. */
    @Override
    public String toString() {
        boolean own = listener.getClass().getNestHost() == StoreListener.class; // its text is the class inside
        return own ? listener.toString() : listener.getClass().getName();
    }
}
