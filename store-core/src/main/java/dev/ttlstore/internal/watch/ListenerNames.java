package dev.ttlstore.internal.watch;

import dev.ttlstore.event.StoreListener;

/** The names of listeners in the log. */
public final class ListenerNames {

    /** A listener of the store around a caller's. Its text is the name of the caller's. */
    public interface Wrapper extends StoreListener {}

    private ListenerNames() {}

    /**
     * Returns the class of a caller's listener. The text of a caller's object may hold secrets, so only that of a
     * listener of the store is used.
     *
     * @param listener the listener, or one of the store around it
     * @return the name
     */
    public static String of(StoreListener listener) {
        boolean own = listener instanceof Wrapper || listener.getClass().getNestHost() == StoreListener.class;
        return own ? listener.toString() : listener.getClass().getName();
    }
}
