package dev.ttlstore.internal.watch;

import java.util.Iterator;
import java.util.NoSuchElementException;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.event.WatchSignal;

/** Reads a watch in a loop; see {@link dev.ttlstore.event.Watch#iterator()}. */
final class WatchIterator implements Iterator<WatchSignal> {

    private final WatchQueue queue;
    private @Nullable WatchSignal next;
    private boolean ended;

    WatchIterator(WatchQueue queue) {
        this.queue = queue;
    }

    @Override
    public boolean hasNext() {
        if (next == null && !ended) {
            next = await();
            ended = next == null;
        }
        return next != null;
    }

    @Override
    public WatchSignal next() {
        WatchSignal signal = hasNext() ? next : null;
        if (signal == null) {
            throw new NoSuchElementException("The watch has been closed, or the reader interrupted");
        }
        next = null;
        return signal;
    }

    private @Nullable WatchSignal await() {
        try {
            return queue.poll(Long.MAX_VALUE); // 292 years
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return null;
        }
    }
}
