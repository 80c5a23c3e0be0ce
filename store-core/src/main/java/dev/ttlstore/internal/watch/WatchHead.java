package dev.ttlstore.internal.watch;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.event.WatchSignal;

/**
 * The signals before the changes of a watch, read page by page as the reader takes them. Pages are read under a lock of
 * the readers, so that writers never wait for them. Thread-safe.
 */
final class WatchHead {

    private final WatchStart start;
    private final long from;
    private final Deque<WatchSignal> page = new ArrayDeque<>();
    private volatile boolean ended;

    /**
     * Creates the head of a watch.
     *
     * @param start reads the signals
     * @param from the sequence at which the changes begin
     */
    WatchHead(WatchStart start, long from) {
        this.start = start;
        this.from = from;
        this.ended = start.equals(WatchStart.NONE);
    }

    /** Tests whether all signals were taken. */
    boolean isEnded() {
        return ended;
    }

    /** Takes the next signal; returns null if there are no more. */
    @Nullable
    WatchSignal poll() {
        if (ended) {
            return null;
        }
        synchronized (page) {
            if (!ended && page.isEmpty()) {
                List<WatchSignal> read = start.next(from);
                page.addAll(read);
                if (read.isEmpty()) {
                    ended = true; // and never false, because the watch may have been closed meanwhile
                }
            }
            return ended ? null : page.poll();
        }
    }

    /** Ends the head, because its watch is closed. */
    void end() {
        ended = true;
    }
}
