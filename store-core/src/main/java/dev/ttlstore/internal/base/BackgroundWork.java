package dev.ttlstore.internal.base;

import dev.ttlstore.engine.support.Deadline;

/** Work of a store in a thread of its own, which ends before the store is closed. */
public interface BackgroundWork {

    /** Ends the work soon: what is in progress may take one more step. Returns at once. */
    void stop();

    /**
     * Waits until the work has ended after {@link #stop}. A listener must not call this, because the work may wait for the
     * listener.
     *
     * @param deadline when to give up
     */
    void awaitStopped(Deadline deadline);
}
