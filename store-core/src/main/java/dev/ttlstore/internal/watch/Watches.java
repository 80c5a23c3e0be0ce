package dev.ttlstore.internal.watch;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

import dev.ttlstore.event.StoreEvent;
import dev.ttlstore.event.Watch;
import dev.ttlstore.event.WatchOptions;

/** The open watches of a store. Thread-safe, but fed by one thread at a time, so that the order holds. */
final class Watches {

    private final List<BufferedWatch> open = new CopyOnWriteArrayList<>();
    private final LongAdder drops = new LongAdder();
    private volatile boolean closed;

    Watch open(WatchOptions options, Predicate<StoreEvent> filter, UnaryOperator<StoreEvent> mapping) {
        BufferedWatch watch = new BufferedWatch(options, filter, mapping, open::remove);
        open.add(watch);
        if (closed) { // asked after the watch can be seen by close(): one of the two closes it
            watch.close();
        }
        return watch;
    }

    List<BufferedWatch> all() {
        return open;
    }

    boolean isEmpty() {
        return open.isEmpty();
    }

    void feed(BufferedWatch watch, StoreEvent event) {
        if (!watch.offer(event)) {
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
