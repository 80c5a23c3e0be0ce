package dev.ttlstore.internal.watch;

import java.util.concurrent.Flow;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.ttlstore.engine.support.BackgroundThreads;
import dev.ttlstore.engine.support.SafeLog;
import dev.ttlstore.event.WatchSignal;

/**
 * Passes the signals of a watch to a subscriber. A thread that does nothing else calls the subscriber, so its methods
 * are called one after the other, no matter which thread requests, cancels or closes.
 */
final class WatchSubscription implements Flow.Subscription {

    private static final Logger log = LoggerFactory.getLogger(WatchSubscription.class);

    private final Flow.Subscriber<? super WatchSignal> subscriber;
    private final WatchQueue queue;
    private final Consumer<WatchSubscription> onEnd;
    private final WatchQueue.Demand demand = new WatchQueue.Demand();

    /** Why the subscription has ended, if the subscriber must learn it. Set before the demand ends. */
    private volatile @Nullable Throwable failure;

    WatchSubscription(
            Flow.Subscriber<? super WatchSignal> subscriber, WatchQueue queue, Consumer<WatchSubscription> onEnd) {
        this.subscriber = subscriber;
        this.queue = queue;
        this.onEnd = onEnd;
    }

    void start() {
        Thread thread = BackgroundThreads.named("ttl-store-watch").newThread(this::run);
        try {
            thread.start();
        } catch (Throwable e) { // no thread available: make room for another subscriber
            end();
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
        end();
    }

    void fail(Throwable reason) {
        failure = reason;
        end();
    }

    private void end() {
        queue.end(demand);
        onEnd.accept(this);
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
            end();
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
            end();
            subscriber.onComplete();
        }
    }
}
