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
import dev.ttlstore.engine.Engine;
import dev.ttlstore.engine.EngineInfo;
import dev.ttlstore.engine.Row;
import dev.ttlstore.engine.StoreClock;
import dev.ttlstore.engine.Subscriber;
import dev.ttlstore.engine.support.BackgroundThreads;
import dev.ttlstore.engine.support.Deadline;
import dev.ttlstore.engine.support.RetryLog;
import dev.ttlstore.engine.support.WorkerThread;
import dev.ttlstore.expiry.ExpirySettings;
import dev.ttlstore.internal.base.SubscriptionOnce;
import dev.ttlstore.internal.commit.CommitPipeline;

/**
 * Delivers recorded expiries to the handlers of their subscribers. A delivery is removed when its handler returns,
 * retried later when it throws, and becomes a dead letter after the last attempt. Thread-safe.
 *
 * <p>One thread does so for all subscribers. It claims due deliveries, passes them to the queues whose threads call the handlers,
 * and records the outcomes. It starts when there is something to do, and sleeps while there is not.
 */
public final class DeliveryService {

    private static final Logger log = LoggerFactory.getLogger(DeliveryService.class);

    /** The name of the thread. */
    public static final String NAME = "ttl-store-delivery";

    /**
     * The longest wait for a due time. The clock is then read again, in case it was set, or the machine was
     * suspended.
     */
    private static final long MAX_SLEEP_NANOS = TimeUnit.SECONDS.toNanos(10);

    private static final long RETRY_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** How long a close waits for handlers, unless their own timeout is shorter. */
    private static final Duration MAX_GRACE = Duration.ofSeconds(10);

    /** How long the deliveries of a node that has died stay with it. */
    private static final long LEASE_MILLIS = TimeUnit.SECONDS.toMillis(30);

    private static final long SHARED_IDLE_NANOS = TimeUnit.SECONDS.toNanos(10);

    private final Deliveries deliveries;
    private final long maxIdleNanos;
    private final CommitPipeline pipeline;
    private final StoreClock clock;
    private final HandlerQueues queues;
    private final Acknowledgements acknowledgements;
    private final Leases leases;
    private final BacklogLimit missing;
    private final ExpirySettings settings;

    /** Released when there may be something to do. */
    private final Semaphore signal = new Semaphore(0);

    private final RetryLog outages =
            new RetryLog(log, "Expired entries cannot be delivered to their handlers now; this is retried each second");
    private final WorkerThread thread =
            new WorkerThread(BackgroundThreads.named(NAME), outages, RETRY_NANOS, this::run);

    /** When the thread stops waiting for running calls; set before it is stopped. */
    private long graceEnd;

    /** Whether the store closes without waiting for the thread. Every later failure is then a result of the close. */
    private volatile boolean leftBehind;

    /** Whether deliveries were recorded since the backlog of missing handlers was last checked. */
    private volatile boolean recorded = true;

    /** Whether subscribers with a handler may not be stored any more. */
    private volatile boolean lost;

    /** Whether retries may wait for a time of a clock that was far ahead. */
    private volatile boolean ahead;

    // Used only by the thread.
    private final Set<String> hastened = new HashSet<>();
    private boolean over;

    /** The first failure of a turn. It counts once, or a moment's trouble would look as if it lasted. */
    private @Nullable Throwable failure;

    /**
     * Prepares deliveries; nothing runs before there is something to do.
     *
     * @param engine stores deliveries, and gives them to this node
     * @param pipeline takes writes
     * @param settings concurrency, attempts, delays and limits
     * @param elapsed measures times in nanoseconds, in spite of steps of the clock
     */
    public DeliveryService(Engine engine, CommitPipeline pipeline, ExpirySettings settings, LongSupplier elapsed) {
        this(
                engine.deliveries(),
                LEASE_MILLIS,
                maxIdleNanos(engine.info()),
                pipeline,
                engine.clock(),
                settings,
                elapsed);
    }

    DeliveryService(
            Deliveries deliveries,
            long leaseMillis,
            long maxIdleNanos,
            CommitPipeline pipeline,
            StoreClock clock,
            ExpirySettings settings,
            LongSupplier elapsed) {
        this.deliveries = deliveries;
        this.maxIdleNanos = maxIdleNanos;
        this.pipeline = pipeline;
        this.clock = clock;
        this.settings = settings;
        this.queues = new HandlerQueues(deliveries, settings, signal);
        RetryPolicy retries =
                new RetryPolicy(settings, () -> ThreadLocalRandom.current().nextDouble());
        this.acknowledgements = new Acknowledgements(pipeline, clock, retries);
        this.leases = new Leases(deliveries, leaseMillis, clock, System::nanoTime);
        this.missing = new BacklogLimit(deliveries, pipeline, clock, settings.maxBacklog(), System::nanoTime, elapsed);
    }

    /** Another node may record deliveries or die, and neither sends a signal to this one. */
    static long maxIdleNanos(EngineInfo engine) {
        return engine.isShared() ? SHARED_IDLE_NANOS : Leases.FOR_EVER;
    }

    /**
     * Registers the handler of a subscriber. It gets recorded deliveries first.
     *
     * @param subscriber the name of the subscriber
     * @param handler handles its deliveries
     * @return ends the registration, after which deliveries are kept
     * @throws IllegalStateException if the subscriber has a handler
     */
    public Runnable begin(String subscriber, Handler handler) {
        queues.change(subscriber, queue -> queue.begin(handler));
        leases.handlerBegun(subscriber);
        startOrSignal();
        // Once, because the next handler has a registration of its own.
        return new SubscriptionOnce(() -> end(subscriber))::close;
    }

    /**
     * Notes that a subscriber with a handler is stored. It is stored again if the data goes back to a time before that.
     *
     * @param subscriber the subscriber
     */
    public void stored(Subscriber subscriber) {
        queues.change(subscriber.name(), queue -> queue.stored(subscriber));
    }

    private void end(String subscriber) {
        leases.handlerEnds(subscriber);
        queues.change(subscriber, SubscriberQueue::end);
        wake();
    }

    /**
     * Rejects handlers of a subscriber that is being removed.
     *
     * @param subscriber its name
     * @return admits handlers again
     * @throws IllegalStateException if it has a handler, or is being removed by another call
     */
    public Runnable exclude(String subscriber) {
        queues.change(subscriber, SubscriberQueue::exclude);
        return () -> {
            queues.change(subscriber, SubscriberQueue::admit);
            queues.dropUnused(subscriber, leases::isHeld);
            lookAgain();
        };
    }

    /**
     * Forgets a subscriber that was removed, before handlers are admitted again.
     *
     * @param subscriber its name
     */
    public void forget(String subscriber) {
        leases.forget(subscriber);
        queues.forget(subscriber);
    }

    /**
     * Returns the subscribers with a handler.
     *
     * @return their queues and the counts of all
     */
    public HandlerQueues queues() {
        return queues;
    }

    /** Looks for deliveries, after a commit that has recorded some or made them due, and for too many of them. Returns at once. */
    public void wake() {
        recorded = true;
        startOrSignal();
    }

    /** Looks for subscribers that are not stored any more, because the data has gone back in time. Returns at once. */
    public void lost() {
        lost = true;
        startOrSignal();
    }

    /** Brings forward retries that wait for a time of a clock that was far ahead, of each subscriber once more. Returns at once. */
    public void hasten() {
        ahead = true;
        lookAgain();
    }

    /**
     * Reads the clock again, which may have moved further than expected. Does nothing if nothing was ever delivered.
     */
    public void lookAgain() {
        if (thread.isRunning()) {
            signal.release();
        }
    }

    /**
     * Starts the thread if it should run and does not, because it could not be started before.
     *
     * @return whether it runs now, or need not
     */
    public boolean ensureRunning() {
        return !queues.isAnyActive() || startOrSignal();
    }

    /** Starts the thread if it is not running, and makes it look for something to do. Without memory for a thread the next call does. */
    private boolean startOrSignal() {
        signal.release();
        return thread.ensureRunning();
    }

    /**
     * Tests whether its work fails again and again.
     *
     * @return whether entries reach their handlers late or not at all, and the log has the reason
     */
    public boolean isFailing() {
        return queues.isAnyActive() && outages.isFailing();
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
        wait = Math.min(wait, attempt(this::forgetUnused, () -> {}));
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
                boolean unused = pipeline.run(new DeliveryCommand.Subscribe(subscriber));
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
            hasten(subscriber, acknowledgements.retries().latest(now));
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
            int unused = pipeline.run(new DeliveryCommand.Hasten(subscriber, latest));
        }
    }

    private long forgetUnused() {
        hastened.removeIf(name -> !queues.has(name));
        leases.retain(queues::has);
        return Leases.FOR_EVER;
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
        if (wait != Leases.FOR_EVER) {
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
     * Ends deliveries. Waits a limited time for running calls and records their outcomes. All other deliveries follow
     * after the store is opened again. Does not wait if a handler calls this.
     *
     * @param deadline limits the wait
     */
    public void stop(Deadline deadline) {
        Duration timeout = settings.timeout();
        Duration grace = timeout.compareTo(MAX_GRACE) < 0 ? timeout : MAX_GRACE;
        graceEnd = System.nanoTime() + grace.toNanos();
        thread.stop();
        queues.endAll();
        signal.release();
        leftBehind = queues.isCalling();
        if (!leftBehind) {
            thread.join(deadline);
            leftBehind = thread.isRunning();
        }
        queues.shutdown();
    }
}
