package dev.ttlstore.internal.watch;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

import dev.ttlstore.event.StoreEvent;
import dev.ttlstore.event.Watch;
import dev.ttlstore.event.WatchOptions;

/** The open watches of a store. Thread-safe, but one thread at a time feeds them, so that the order holds. */
final class Watches {

    private final List<BufferedWatch> open = new CopyOnWriteArrayList<>();
    private final LongAdder drops = new LongAdder();
    private volatile boolean closed;

    Watch open(WatchOptions options, Predicate<StoreEvent> filter, UnaryOperator<StoreEvent> mapping) {
        BufferedWatch watch = new BufferedWatch(options, filter, mapping, open::remove);
        open.add(watch);
        if (closed) { // checked after close() can see the watch, so one of the two closes it
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
