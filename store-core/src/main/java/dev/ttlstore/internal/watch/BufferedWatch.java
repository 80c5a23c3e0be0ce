package dev.ttlstore.internal.watch;

import java.time.Duration;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Flow;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.ttlstore.engine.support.BackgroundThreads;
import dev.ttlstore.engine.support.SafeLog;
import dev.ttlstore.event.StoreEvent;
import dev.ttlstore.event.Watch;
import dev.ttlstore.event.WatchSignal;

/** A watch with a buffer for the events that are offered to it. */
public final class BufferedWatch implements Watch {

    private static final Logger log = LoggerFactory.getLogger(BufferedWatch.class);

    private final WatchQueue queue;
    private final WatchRequest request;

    /** The sequence at which the changes begin. */
    private final long from;

    private final Consumer<BufferedWatch> onClose;
    private final AtomicReference<@Nullable WatchSubscription> active = new AtomicReference<>();

    /**
     * Opens a watch.
     *
     * @param request what to watch
     * @param from the sequence at which its changes begin; earlier events are passed over
     * @param onClose called once with the watch, after it is closed
     */
    BufferedWatch(WatchRequest request, long from, Consumer<BufferedWatch> onClose) {
        this.queue = new WatchQueue(request.options(), new WatchHead(request.start(), from));
        this.request = request;
        this.from = from;
        this.onClose = onClose;
    }

    /**
     * Adds an event to the buffer if the watch is open and its filter matches. Never waits for a reader. The event is
     * later than all that were offered before. Returns false if an event had to be dropped for it.
     */
    boolean offer(StoreEvent event) {
        return !takes(event) || add(event, 0);
    }

    /** Adds an event as {@link #offer(StoreEvent)} does. Its value is opened only if the filter matches. */
    boolean offer(ValuedEvent event) {
        if (!takes(event.plain())) {
            return true;
        }
        StoreEvent told = event.forReceiver(request.options().values());
        return add(told, event.valueBytes(told));
    }

    private boolean takes(StoreEvent event) {
        return event.sequence() >= from && request.filter().test(event);
    }

    private boolean add(StoreEvent event, long valueBytes) {
        return queue.offer(request.mapping().apply(event), valueBytes);
    }

    /** Adds a gap, because changes never arrived, or there was no memory for them. Needs none itself. */
    void lost(long fromSequence) {
        queue.lost(fromSequence);
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
        return new Reader();
    }

    @Override
    public void subscribe(Flow.Subscriber<? super WatchSignal> subscriber) {
        Objects.requireNonNull(subscriber, "'subscriber' must not be null");
        WatchSubscription subscription = new WatchSubscription(subscriber);
        if (!active.compareAndSet(null, subscription)) {
            subscription.fail(new IllegalStateException(
                    "The watch already has a subscriber; cancel its subscription, or open another watch"));
        }
        subscription.start();
    }

    @Override
    public void onReady(Runnable action) {
        queue.onReady(Objects.requireNonNull(action, "'action' must not be null"));
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

    /** Reads the watch in a loop. */
    private final class Reader implements Iterator<WatchSignal> {

        private @Nullable WatchSignal next;
        private boolean ended;

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

    /**
     * Passes the signals to a subscriber. A thread that does nothing else calls the subscriber, so its methods are called
     * one after the other, no matter which thread requests, cancels or closes.
     */
    private final class WatchSubscription implements Flow.Subscription {

        private final Flow.Subscriber<? super WatchSignal> subscriber;
        private final WatchQueue.Demand demand = new WatchQueue.Demand();

        /** Why the subscription has ended, if the subscriber must learn it. Set before the demand ends. */
        private volatile @Nullable Throwable failure;

        private WatchSubscription(Flow.Subscriber<? super WatchSignal> subscriber) {
            this.subscriber = subscriber;
        }

        private void start() {
            Thread thread = BackgroundThreads.named("ttl-store-watch").newThread(this::run);
            try {
                thread.start();
            } catch (Throwable e) { // no thread available: make room for another subscriber
                cancel();
                throw e;
            }
        }

        @Override
        public void request(long n) {
            if (n > 0) {
                queue.request(demand, n);
            } else if (!demand.isOver()) {
                fail(new IllegalArgumentException("'n' must be more than zero, but is " + n));
            }
        }

        @Override
        public void cancel() {
            queue.end(demand);
            active.compareAndSet(this, null);
        }

        private void fail(Throwable reason) {
            failure = reason;
            cancel();
        }

        private void run() {
            try {
                subscriber.onSubscribe(this);
                for (WatchSignal next = take(); next != null; next = take()) {
                    subscriber.onNext(next);
                }
                tellEnd();
            } catch (Throwable e) { // whatever the failure, no caller could handle it
                SafeLog.ofApplication(log, "A subscriber of a watch has failed; its subscription has ended")
                        .warn(e);
            } finally {
                cancel();
            }
        }

        /** Takes the next signal; returns null if there are no more, or if existing entries cannot be read. */
        private @Nullable WatchSignal take() {
            try {
                return queue.take(demand);
            } catch (Throwable e) { // whatever the failure, the subscriber would otherwise wait for ever
                if (!demand.isOver()) {
                    fail(e);
                }
                return null;
            }
        }

        private void tellEnd() {
            Throwable reason = failure;
            if (reason != null) {
                subscriber.onError(reason);
            } else if (!demand.isOver()) {
                cancel();
                subscriber.onComplete();
            }
        }
    }
}
