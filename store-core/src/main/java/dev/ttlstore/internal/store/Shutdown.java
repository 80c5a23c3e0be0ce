package dev.ttlstore.internal.store;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

import dev.ttlstore.engine.support.Deadline;
import dev.ttlstore.internal.base.BackgroundWork;
import dev.ttlstore.internal.commit.CommitPipeline;
import dev.ttlstore.internal.delivery.DeliveryService;
import dev.ttlstore.internal.watch.EventDispatcher;

/**
 * Closes a store once, no matter how many callers ask for it. It refers to the store's parts, and to nothing that
 * users hold.
 */
final class Shutdown {

    private final AtomicBoolean closed;
    private final CommitPipeline pipeline;
    private final EventDispatcher dispatcher;
    private final DeliveryService deliveries;
    private final List<BackgroundWork> background;
    private final Duration timeout;
    private final AtomicBoolean begun = new AtomicBoolean();
    private final CountDownLatch ended = new CountDownLatch(1);

    Shutdown(
            AtomicBoolean closed,
            CommitPipeline pipeline,
            EventDispatcher dispatcher,
            DeliveryService deliveries,
            List<BackgroundWork> background,
            Duration timeout) {
        this.closed = closed;
        this.pipeline = pipeline;
        this.dispatcher = dispatcher;
        this.deliveries = deliveries;
        this.background = background;
        this.timeout = timeout;
    }

    boolean hasBegun() {
        return begun.get();
    }

    void run() {
        pipeline.requireNoTransaction();
        Deadline deadline = Deadline.in(timeout);
        if (begun.compareAndSet(false, true)) {
            try {
                runUntil(deadline);
            } finally {
                ended.countDown();
            }
        } else if (!dispatcher.isTelling() && !deliveries.isCalling()) { // closing waits for both
            boolean unused = deadline.tryUntil(nanos -> ended.await(nanos, TimeUnit.NANOSECONDS));
        }
    }

    private void runUntil(Deadline deadline) {
        deliveries.stop(deadline); // first, so that running handlers can still use the store
        closed.set(true);
        background.forEach(BackgroundWork::stop);
        try {
            pipeline.close(deadline);
        } finally {
            dispatcher.closeWatches();
        }
        if (!dispatcher.isTelling()) {
            background.forEach(work -> work.awaitStopped(deadline));
        }
    }
}
