package dev.ttlstore.internal.watch;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;

import dev.ttlstore.event.StoreEvent;

/**
 * The open watches of a store, and the last events for those that resume. Thread-safe, but one thread at a time feeds
 * them, so that the order holds.
 */
final class OpenWatches {

    /** Replaced under the lock of this, and never changed. */
    private volatile List<BufferedWatch> open = List.of();

    private final LongAdder drops = new LongAdder();

    /** How many listeners and watches have asked for values. */
    private final AtomicInteger askedForValues;

    /** Its lock orders feeding and opening, so that a watch that resumes gets each event once. */
    private final EventHistory history;

    private volatile boolean closed;

    OpenWatches(AtomicInteger askedForValues, EventHistory history) {
        this.askedForValues = askedForValues;
        this.history = history;
    }

    BufferedWatch open(WatchRequest request, long from) {
        BufferedWatch watch;
        synchronized (history) {
            history.activate(from, request.watched());
            Long after = request.options().resumeAfter();
            watch = after == null ? create(request, from) : resume(request, after);
            add(watch);
        }
        if (closed) { // checked after close() can see the watch, so one of the two closes it
            watch.close();
        }
        return watch;
    }

    private BufferedWatch create(WatchRequest request, long from) {
        int asks = request.options().values() ? 1 : 0;
        askedForValues.addAndGet(asks);
        return new BufferedWatch(request, from, ended -> {
            remove(ended);
            askedForValues.addAndGet(-asks);
        });
    }

    private synchronized void add(BufferedWatch watch) {
        List<BufferedWatch> more = new ArrayList<>(open);
        more.add(watch);
        open = more;
    }

    private synchronized void remove(BufferedWatch watch) {
        List<BufferedWatch> less = new ArrayList<>(open);
        less.remove(watch);
        open = less;
    }

    /** Creates a watch with the events after a sequence. Some up to there may be committed, but not fed yet. */
    private BufferedWatch resume(WatchRequest request, long after) {
        long next = Math.max(after, after + 1); // without an overflow
        // After a number of another store, no change may be passed over.
        BufferedWatch watch = create(request, history.isReached(after, request.watched()) ? next : Long.MIN_VALUE);
        if (!history.isCompleteAfter(after, request.watched())) {
            watch.lost(next);
        }
        for (StoreEvent event : history.after(after, request.watched())) {
            count(watch.offer(event));
        }
        return watch;
    }

    boolean isEmpty() {
        return open.isEmpty();
    }

    /**
     * Offers an event to all watches. If one fails, as for want of memory, it gets a gap, and the others get the event all the same.
     *
     * @param onFailure called with each failure; does not throw
     */
    void feed(ValuedEvent event, Consumer<Throwable> onFailure) {
        synchronized (history) {
            try {
                history.add(event.plain());
            } catch (Throwable e) { // nobody may resume where an event is missing
                history.lost();
                onFailure.accept(e);
            }
            List<BufferedWatch> fed = open;
            for (int i = 0; i < fed.size(); i++) { // an iterator would need memory
                try {
                    count(fed.get(i).offer(event));
                } catch (Throwable e) { // whatever the failure, the write is committed
                    fed.get(i).lost(event.plain().sequence());
                    onFailure.accept(e);
                }
            }
        }
    }

    /** Adds a gap to all watches. Needs no memory. */
    void lost(long fromSequence) {
        synchronized (history) {
            history.lost();
            List<BufferedWatch> losing = open;
            for (int i = 0; i < losing.size(); i++) {
                losing.get(i).lost(fromSequence);
            }
        }
    }

    private void count(boolean room) {
        if (!room) {
            drops.increment();
        }
    }

    long drops() {
        return drops.sum();
    }

    void close() {
        closed = true;
        open.forEach(BufferedWatch::close);
    }
}
