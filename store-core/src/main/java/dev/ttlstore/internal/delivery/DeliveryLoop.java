package dev.ttlstore.internal.delivery;

import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.ttlstore.engine.Deliveries;
import dev.ttlstore.engine.Delivery;
import dev.ttlstore.engine.DeliveryCommand;
import dev.ttlstore.engine.Row;
import dev.ttlstore.engine.StoreClock;
import dev.ttlstore.engine.Subscriber;
import dev.ttlstore.engine.support.BackgroundThreads;
import dev.ttlstore.engine.support.Deadline;
import dev.ttlstore.engine.support.RetryLog;
import dev.ttlstore.engine.support.WorkerThread;
import dev.ttlstore.expiry.ExpirySettings;
import dev.ttlstore.internal.commit.CommitPipeline;

/**
 * The thread that delivers expired entries, for all subscribers. It claims due deliveries, passes them to the
 * queues whose threads call the handlers, and records the outcomes. It starts when there is something to do, and sleeps
 * while there is not.
 */
final class DeliveryLoop {

    private static final Logger log = LoggerFactory.getLogger(DeliveryLoop.class);

    /** The name of the thread. */
    static final String NAME = "ttl-store-delivery";

    /**
     * The longest wait for a due time. The clock is then read again, in case it was set, or the machine was
     * suspended.
     */
    private static final long MAX_SLEEP_NANOS = TimeUnit.SECONDS.toNanos(10);

    private static final long RETRY_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final Deliveries deliveries;
    private final long maxIdleNanos;
    private final CommitPipeline pipeline;
    private final StoreClock clock;
    private final HandlerQueues queues;
    private final RetryPolicy retries;
    private final Acknowledgements acknowledgements;
    private final Leases leases;
    private final BacklogLimit missing;
    private final Semaphore signal;

    private final RetryLog outages =
            new RetryLog(log, "Expired entries cannot be delivered to their handlers now; this is retried each second");
    private final WorkerThread thread =
            new WorkerThread(BackgroundThreads.named(NAME), outages, RETRY_NANOS, this::run);

    /** When the loop stops waiting for running calls; set before the thread is stopped. */
    private long graceEnd;

    /** Whether the store closes without waiting for the thread. Every later failure is then a result of the close. */
    private volatile boolean leftBehind;

    /** Whether deliveries were recorded since the backlog of missing handlers was last checked. */
    private volatile boolean recorded = true;

    /** Whether subscribers with a handler may not be stored any more. */
    private volatile boolean lost;

    /** Whether retries may wait for a time of a clock that was far ahead. */
    private volatile boolean ahead;

    // Used only by the loop's thread.
    private final Set<String> hastened = new HashSet<>();
    private boolean over;

    /** The first failure of a turn. It counts once, or a moment's trouble would look as if it lasted. */
    private @Nullable Throwable failure;

    /**
     * Prepares the loop. Its thread starts when there is something to do.
     *
     * @param deliveries reads deliveries
     * @param leases claims deliveries
     * @param missing limits the backlog of missing handlers
     * @param maxIdleNanos how long to wait for a signal at most, in nanoseconds; {@link Leases#FOR_EVER} if every change sends one
     * @param pipeline takes writes
     * @param clock the store's time
     * @param queues the handlers and their deliveries in hand
     * @param settings attempts and delays
     * @param signal released when there may be something to do
     */
    DeliveryLoop(
            Deliveries deliveries,
            Leases leases,
            BacklogLimit missing,
            long maxIdleNanos,
            CommitPipeline pipeline,
            StoreClock clock,
            HandlerQueues queues,
            ExpirySettings settings,
            Semaphore signal) {
        this.deliveries = deliveries;
        this.leases = leases;
        this.missing = missing;
        this.maxIdleNanos = maxIdleNanos;
        this.pipeline = pipeline;
        this.clock = clock;
        this.queues = queues;
        this.signal = signal;
        this.retries =
                new RetryPolicy(settings, () -> ThreadLocalRandom.current().nextDouble());
        this.acknowledgements = new Acknowledgements(pipeline, clock, retries);
    }

    /** Looks for deliveries that may be due, and for too many of them. */
    void wake() {
        recorded = true;
        ensureRunning();
    }

    /** Looks for subscribers that are not stored any more. */
    void lost() {
        lost = true;
        ensureRunning();
    }

    /** Brings forward retries that are too far in the future, of each subscriber once more. */
    void hasten() {
        ahead = true;
        lookAgain();
    }

    /** Makes the thread read the clock again, if it is running. */
    void lookAgain() {
        if (thread.isRunning()) {
            signal.release();
        }
    }

    /**
     * Starts the thread if it is not running, and makes it look for something to do. Without memory for a thread the next call does.
     *
     * @return whether the thread is running, or was asked to stop
     */
    boolean ensureRunning() {
        signal.release();
        return thread.ensureRunning();
    }

    /** Tests whether its turns fail again and again. */
    boolean isFailing() {
        return outages.isFailing();
    }

    private void run() {
        while (!over && !isGraceOver()) {
            long wait = turn();
            boolean stopping = thread.isStopped();
            if (stopping && !queues.isBusy()) {
                queues.all().forEach(leases::releaseEnded); // of calls that have ended since
                return;
            }
            sleep(stopping ? Math.min(wait, TimeUnit.MILLISECONDS.toNanos(100)) : wait);
        }
    }

    private boolean isGraceOver() {
        return thread.isStopped() && System.nanoTime() - graceEnd > 0;
    }

    private long turn() {
        failure = null;
        if (ahead) {
            ahead = false;
            hastened.clear();
        }
        long wait = Math.min(maxIdleNanos, attempt(this::storeAgain, () -> lost = true));
        for (SubscriberQueue queue : queues.all()) {
            wait = Math.min(wait, attempt(() -> serve(queue), () -> {}));
        }
        hastened.removeIf(name -> !queues.has(name));
        leases.retain(queues::has);
        wait = Math.min(wait, attempt(this::trimWaiting, () -> recorded = true));
        Throwable reason = failure;
        if (reason == null) {
            outages.succeeded("Expired entries can be delivered to their handlers again");
            return wait;
        }
        if (leftBehind) {
            over = true;
        } else {
            outages.failed(reason);
        }
        return Math.min(wait, RETRY_NANOS);
    }

    /** Does a part of a turn. If it fails, the others are done all the same: otherwise all deliveries would end silently. */
    private long attempt(LongSupplier part, Runnable onFailure) {
        try {
            return part.getAsLong();
        } catch (RuntimeException | Error e) {
            onFailure.run();
            failure = failure == null ? e : failure;
            return Leases.FOR_EVER;
        }
    }

    /** Records the outcomes of a subscriber, offers due deliveries to it, and returns in how many nanoseconds to call this again. */
    private long serve(SubscriberQueue queue) {
        acknowledgements.record(queue, queues::counts);
        long wait = feed(queue);
        wait = Math.min(wait, leases.renew(queue));
        wait = Math.min(wait, queue.interruptLate(System.nanoTime()));
        if (leases.releaseEnded(queue)) {
            recorded = true; // the backlog is limited from now on
        }
        queues.dropUnused(queue.subscriber(), leases::isHeld);
        return wait;
    }

    /** Stores subscribers that have a handler and are missing, because the data has gone back to a time before they subscribed. */
    private long storeAgain() {
        if (!lost || thread.isStopped()) {
            return Leases.FOR_EVER;
        }
        lost = false;
        Set<String> present =
                deliveries.subscribers().stream().map(Subscriber::name).collect(Collectors.toSet());
        for (SubscriberQueue queue : queues.all()) {
            Subscriber subscriber = queue.stored();
            if (subscriber != null && !present.contains(subscriber.name())) {
                boolean unused = pipeline.commands().deliveries(new DeliveryCommand.Subscribe(subscriber));
                log.warn(
                        "The expiry subscriber '{}' was missing, as in a copy of the data from before it was added. It"
                                + " was added again. Its handler does not get what has expired in between",
                        subscriber.name());
            }
        }
        return Leases.FOR_EVER;
    }

    /** Offers due deliveries to a queue, and returns in how many nanoseconds the next ones will be due. */
    private long feed(SubscriberQueue queue) {
        String subscriber = queue.subscriber();
        int room = thread.isStopped() ? 0 : queue.room();
        if (room == 0) {
            queue.offer(List.of()); // no thread may have been available before
            return Leases.FOR_EVER; // the next outcome comes with a signal
        }
        long now = clock.now();
        if (!hastened.contains(subscriber)) {
            hasten(subscriber, retries.latest(now));
            hastened.add(subscriber);
        }
        int limit = room + queue.held();
        List<Delivery> due = leases.claim(queue, now, limit);
        queue.offer(due);
        if (due.size() == limit) {
            return Leases.FOR_EVER; // as above
        }
        long next = deliveries.nextAfter(subscriber, now);
        return next == Row.NEVER
                ? Leases.FOR_EVER
                : Math.min(MAX_SLEEP_NANOS, TimeUnit.MILLISECONDS.toNanos(Math.max(1, next - now)));
    }

    /**
     * Brings forward retries that are too far in the future. If the clock was wrong for a while, or when the store was open before, they
     * may be years away.
     */
    private void hasten(String subscriber, long latest) {
        if (deliveries.nextAfter(subscriber, latest) != Row.NEVER) {
            int unused = pipeline.commands().deliveries(new DeliveryCommand.Hasten(subscriber, latest));
        }
    }

    /** Drops the excess deliveries of missing handlers, and returns in how many nanoseconds to check again. */
    private long trimWaiting() {
        if (!recorded || thread.isStopped()) {
            return Leases.FOR_EVER;
        }
        recorded = false;
        List<String> inactive = deliveries.subscribers().stream()
                .map(Subscriber::name)
                .filter(name -> !queues.isActive(name) && !leases.isHeld(name))
                .toList();
        long wait = missing.trim(inactive, queues::counts);
        if (wait != BacklogLimit.DONE) {
            recorded = true;
        }
        return wait;
    }

    private void sleep(long nanos) {
        try {
            if (nanos == Leases.FOR_EVER) {
                signal.acquire();
            } else {
                boolean unused = signal.tryAcquire(nanos, TimeUnit.NANOSECONDS);
            }
        } catch (InterruptedException e) {
            log.debug("Only closing the store ends its deliveries", e);
        }
        signal.drainPermits(); // one round handles everything signalled so far
    }

    /**
     * Stops the thread, and waits for its end unless a handler calls this.
     *
     * @param grace how long running calls may still take
     * @param deadline limits the wait
     */
    void stop(Duration grace, Deadline deadline) {
        graceEnd = System.nanoTime() + grace.toNanos();
        thread.stop();
        queues.endAll();
        signal.release();
        leftBehind = queues.isCalling();
        if (!leftBehind) {
            thread.join(deadline);
            leftBehind = thread.isRunning();
        }
    }
}
