package dev.ttlstore.internal.watch;

import java.util.concurrent.TimeUnit;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.event.StoreListener;

/**
 * The current call of a listener, for threads that wait until it returns. Written by the calling thread, read by any.
 */
final class ListenerCall {

    private volatile @Nullable StoreListener listener;
    private volatile @Nullable Thread thread;

    /** When the call started; zero without a call. */
    private volatile long begun;

    /** The start of the last call that exceeded its time. */
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

    /** Returns how long the call has been running; zero if there is none. */
    long nanos() {
        long since = begun;
        return since == 0 ? 0 : System.nanoTime() - since;
    }

    /** Returns whether the call exceeds a time limit; true only once for each call. */
    boolean isNewlyOver(long limitNanos) {
        long since = begun;
        if (since == 0 || since == over || System.nanoTime() - since < limitNanos) {
            return false;
        }
        over = since;
        return true;
    }

    /** Returns the beginning of a message about a call that takes long. */
    String described() {
        StoreListener called = listener;
        Thread caller = thread;
        return (called == null ? "A listener" : "The listener " + called) + " has not returned for "
                + TimeUnit.NANOSECONDS.toSeconds(nanos()) + " s; see the stack of its thread '"
                + (caller == null ? "unknown" : caller.getName()) + "'";
    }

    /** Returns the stack trace of the calling thread, for the log. */
    Throwable where() {
        Throwable place = new Throwable("The stack of the listener's thread");
        Thread caller = thread;
        if (caller != null) {
            place.setStackTrace(caller.getStackTrace());
        }
        return place;
    }
}
