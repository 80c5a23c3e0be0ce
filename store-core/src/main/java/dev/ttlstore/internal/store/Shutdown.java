package dev.ttlstore.internal.store;

import java.lang.ref.Cleaner;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.ttlstore.engine.support.BackgroundThreads;
import dev.ttlstore.engine.support.Deadline;
import dev.ttlstore.internal.access.StoreAccess;
import dev.ttlstore.internal.base.BackgroundWork;
import dev.ttlstore.internal.commit.CommitPipeline;
import dev.ttlstore.internal.delivery.DeliveryService;
import dev.ttlstore.internal.watch.EventDispatcher;

/**
 * Closes a store once, no matter how many callers ask for it, or if nobody can ask any more. It must not refer to anything that users hold,
 * which would then never become unreachable.
 */
final class Shutdown {

    private static final Logger log = LoggerFactory.getLogger(Shutdown.class);

    /** Its thread ends when this class is unloaded, because the thread has none of our class loaders. */
    private static final Cleaner CLEANER = Cleaner.create();

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

    /**
     * Closes the store, so that its file can be opened again, and logs a warning, if it becomes unreachable before it is closed.
     *
     * @param access the object that everything in users' hands refers to
     * @param location where the store is, for the message
     * @return what watches the object; clean it when the store has been closed
     */
    Cleaner.Cleanable watch(StoreAccess access, String location) {
        Throwable opening = new Throwable("The store was opened here");
        return CLEANER.register(access, () -> unreachable(location, opening));
    }

    private void unreachable(String location, Throwable opening) {
        if (hasBegun()) {
            return;
        }
        // Closing commits and may wait, which would delay the reports of other stores.
        Thread thread = BackgroundThreads.named("ttl-store-leak").newThread(() -> tellAndClose(location, opening));
        thread.start();
    }

    private void tellAndClose(String location, Throwable opening) {
        log.warn(
                "The store {} became unreachable without being closed, and is closed now; close it after use, with"
                        + " try (Store store = …), or with a destroy method if it is a bean",
                location,
                opening);
        try {
            run();
        } catch (RuntimeException | Error e) { // no caller could handle it
            log.warn(
                    "The store {} became unreachable without being closed, and could not be closed properly",
                    location,
                    e);
        }
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
        } else if (!dispatcher.isTelling() && !deliveries.queues().isCalling()) { // closing waits for both
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
