package dev.ttlstore.internal.watch;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.event.StoreListener;

/** The listener that is being called, for those who wait until it returns. Written by the thread that calls, read by any. */
final class ListenerCall {

    private volatile @Nullable StoreListener listener;
    private volatile @Nullable Thread thread;

    /** When it began; zero while none is called. */
    private volatile long begun;

    /** The beginning of the call that was last found to be over its time. */
    private volatile long over;

    void begins(StoreListener called) {
        listener = called;
        thread = Thread.currentThread();
        begun = System.nanoTime() | 1;
    }

    void ends() {
        begun = 0;
        listener = null;
        thread = null;
    }

    /** For how long it has been running; zero if there is none. */
    long nanos() {
        long since = begun;
        return since == 0 ? 0 : System.nanoTime() - since;
    }

    /** Whether it takes longer than it should, which is answered once for each call. */
    boolean isNewlyOver(long limitNanos) {
        long since = begun;
        if (since == 0 || since == over || System.nanoTime() - since < limitNanos) {
            return false;
        }
        over = since;
        return true;
    }

    String listener() {
        StoreListener called = listener;
        return called == null ? "A listener" : "The listener " + called;
    }

    String threadName() {
        Thread caller = thread;
        return caller == null ? "unknown" : caller.getName();
    }

    /** Where the thread is that calls, as something to log. */
    Throwable where() {
        Throwable place = new Throwable("Where the listener is");
        Thread caller = thread;
        if (caller != null) {
            place.setStackTrace(caller.getStackTrace());
        }
        return place;
    }
}
