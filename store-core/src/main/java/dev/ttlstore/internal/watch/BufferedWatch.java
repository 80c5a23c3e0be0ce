package dev.ttlstore.internal.watch;

import java.time.Duration;
import java.util.Iterator;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Flow;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.event.StoreEvent;
import dev.ttlstore.event.Watch;
import dev.ttlstore.event.WatchOptions;
import dev.ttlstore.event.WatchSignal;

/** A watch of the events that it is offered. */
public final class BufferedWatch implements Watch {

    private final WatchQueue queue;
    private final Predicate<StoreEvent> filter;
    private final UnaryOperator<StoreEvent> mapping;
    private final Consumer<BufferedWatch> onClose;
    private final AtomicReference<@Nullable WatchSubscription> active = new AtomicReference<>();

    /**
     * Opens a watch. Filter and mapping are called by writers, and so must be quick.
     *
     * @param options how much it holds, and what it does when there is more
     * @param filter which events it looks out for
     * @param mapping what the reader sees of an event; its sequence must stay
     * @param onClose called with the watch, once, after its closing
     */
    public BufferedWatch(
            WatchOptions options,
            Predicate<StoreEvent> filter,
            UnaryOperator<StoreEvent> mapping,
            Consumer<BufferedWatch> onClose) {
        this.queue = new WatchQueue(options);
        this.filter = filter;
        this.mapping = mapping;
        this.onClose = onClose;
    }

    /**
     * Takes an event in, if the watch is open and looks out for it. It never waits for a reader.
     *
     * @param event what has happened, later than all that was offered before
     * @return whether nothing had to be dropped for it
     */
    public boolean offer(StoreEvent event) {
        return !filter.test(event) || queue.offer(mapping.apply(event));
    }

    @Override
    public Optional<WatchSignal> poll() {
        return Optional.ofNullable(queue.poll());
    }

    @Override
    public Optional<WatchSignal> poll(Duration timeout) throws InterruptedException {
        Objects.requireNonNull(timeout, "'timeout' must not be null");
        return Optional.ofNullable(queue.poll(TimeUnit.NANOSECONDS.convert(timeout)));
    }

    @Override
    public Iterator<WatchSignal> iterator() {
        return new WatchIterator(queue);
    }

    @Override
    public void subscribe(Flow.Subscriber<? super WatchSignal> subscriber) {
        Objects.requireNonNull(subscriber, "'subscriber' must not be null");
        WatchSubscription subscription =
                new WatchSubscription(subscriber, queue, ended -> active.compareAndSet(ended, null));
        if (!active.compareAndSet(null, subscription)) {
            subscription.fail(new IllegalStateException(
                    "The watch has a subscriber already: cancel its subscription, or open another watch"));
        }
        subscription.start();
    }

    @Override
    public long dropped() {
        return queue.dropped();
    }

    @Override
    public long conflated() {
        return queue.conflated();
    }

    @Override
    public boolean isClosed() {
        return queue.isClosed();
    }

    @Override
    public void close() {
        if (queue.close()) {
            onClose.accept(this);
        }
    }
}
