package dev.ttlstore.internal.watch;

import java.util.List;

import dev.ttlstore.event.WatchSignal;

/**
 * The signals of a watch that come before its changes: the existing entries, and {@link WatchSignal.UpToDate} as the
 * last. Used by one thread at a time.
 */
public interface WatchStart {

    /** No signals. */
    WatchStart NONE = before -> List.of();

    /**
     * Reads the next signals.
     *
     * @param before the sequence at which the changes of the watch begin; entries with this version or a later one
     *     come as changes
     * @return the signals, at least one; empty if the store is closed, so that there will be no more
     */
    List<WatchSignal> next(long before);
}
