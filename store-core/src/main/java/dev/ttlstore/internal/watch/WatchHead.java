package dev.ttlstore.internal.watch;

import java.util.Deque;
import java.util.concurrent.LinkedBlockingDeque;
import java.util.concurrent.atomic.AtomicReference;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.event.WatchSignal;

/**
 * The signals before the changes of a watch, read page by page as the reader takes them. Pages are read under a lock of
 * the readers, so that neither writers nor those who close the watch wait for them. Thread-safe.
 */
final class WatchHead {

    private final WatchRequest.InitialSignals start;
    private final long from;
    private final Deque<WatchSignal> page = new LinkedBlockingDeque<>();
    private final AtomicReference<State> state;

    /** Whether the reader has all signals. It leaves {@code OPEN} once, and then never changes. */
    private enum State {
        OPEN,

        /** The reader has taken all signals. */
        COMPLETE,

        /** The watch was closed, or its store, before the reader had all signals. */
        CUT
    }

    /**
     * Creates the head of a watch.
     *
     * @param start reads the signals
     * @param from the sequence at which the changes begin
     */
    WatchHead(WatchRequest.InitialSignals start, long from) {
        this.start = start;
        this.from = from;
        this.state =
                new AtomicReference<>(start.equals(WatchRequest.InitialSignals.NONE) ? State.COMPLETE : State.OPEN);
    }

    /** Tests whether there are no more signals. */
    boolean isEnded() {
        return state.get() != State.OPEN;
    }

    /** Tests whether it has ended early: to a reader without all of its signals, the changes would be incomplete. */
    boolean isCut() {
        return state.get() == State.CUT;
    }

    /** Takes the next signal; returns null if there are no more. */
    @Nullable
    WatchSignal poll() {
        if (isEnded()) {
            return null;
        }
        synchronized (page) {
            if (!isEnded() && page.isEmpty()) {
                page.addAll(start.next(from));
            }
            if (isEnded()) { // the watch may have been closed meanwhile
                return null;
            }
            WatchSignal next = page.poll();
            if (next == null) {
                end();
            } else if (next instanceof WatchSignal.UpToDate && !state.compareAndSet(State.OPEN, State.COMPLETE)) {
                return null;
            }
            return next;
        }
    }

    /** Ends the head, because its watch is closed. */
    void end() {
        state.compareAndSet(State.OPEN, State.CUT);
    }
}
