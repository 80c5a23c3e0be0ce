package dev.ttlstore.internal.delivery;

import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

import dev.ttlstore.engine.Deliveries;
import dev.ttlstore.engine.Engine;
import dev.ttlstore.engine.EngineInfo;
import dev.ttlstore.engine.StoreClock;
import dev.ttlstore.engine.Subscriber;
import dev.ttlstore.engine.support.Deadline;
import dev.ttlstore.expiry.ExpirySettings;
import dev.ttlstore.internal.base.SubscriptionOnce;
import dev.ttlstore.internal.commit.CommitPipeline;

/**
 * Delivers recorded expiries to the handlers of their subscribers. A delivery is removed when its handler returns,
 * retried later when it throws, and becomes a dead letter after the last attempt. Thread-safe.
 */
public final class DeliveryService {

    /** The name of the thread. */
    public static final String NAME = DeliveryLoop.NAME;

    /** How long a close waits for handlers, unless their own timeout is shorter. */
    private static final Duration MAX_GRACE = Duration.ofSeconds(10);

    /** How long the deliveries of a node that has died stay with it. */
    private static final long LEASE_MILLIS = TimeUnit.SECONDS.toMillis(30);

    private static final long SHARED_IDLE_NANOS = TimeUnit.SECONDS.toNanos(10);

    private final ExpirySettings settings;
    private final HandlerQueues queues;
    private final Leases leases;
    private final DeliveryLoop loop;

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
        Semaphore signal = new Semaphore(0);
        this.leases = new Leases(deliveries, leaseMillis, clock, System::nanoTime);
        BacklogLimit missing =
                new BacklogLimit(deliveries, pipeline, clock, settings.maxBacklog(), System::nanoTime, elapsed);
        this.settings = settings;
        this.queues = new HandlerQueues(deliveries, settings, signal);
        this.loop =
                new DeliveryLoop(deliveries, leases, missing, maxIdleNanos, pipeline, clock, queues, settings, signal);
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
        loop.ensureRunning();
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

    /** Looks for subscribers that are not stored any more, because the data has gone back in time. Returns at once. */
    public void lost() {
        loop.lost();
    }

    private void end(String subscriber) {
        leases.handlerEnds(subscriber);
        queues.change(subscriber, SubscriberQueue::end);
        loop.wake();
    }

    /** Looks for deliveries, after a commit that has recorded some or made them due. Returns at once. */
    public void wake() {
        loop.wake();
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
            loop.lookAgain();
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
     * Tests whether a subscriber has a handler.
     *
     * @param subscriber its name
     * @return true if it has
     */
    public boolean isActive(String subscriber) {
        return queues.isActive(subscriber);
    }

    /**
     * Tests whether any subscriber has a handler.
     *
     * @return true if one has
     */
    public boolean isAnyActive() {
        return queues.isAnyActive();
    }

    /**
     * Returns the counts of a subscriber's deliveries.
     *
     * @param subscriber the name of the subscriber
     * @return the counts since the store was opened
     */
    public DeliveryCounts counts(String subscriber) {
        return queues.counts(subscriber);
    }

    /**
     * Reads the clock again, which may have moved further than expected. Does nothing if nothing was ever delivered.
     */
    public void lookAgain() {
        loop.lookAgain();
    }

    /** Brings forward retries that wait for a time of a clock that was far ahead. Returns at once. */
    public void hasten() {
        loop.hasten();
    }

    /**
     * Starts the thread if it should run and does not, because it could not be started before.
     *
     * @return whether it runs now, or need not
     */
    public boolean ensureRunning() {
        return !queues.isAnyActive() || loop.ensureRunning();
    }

    /**
     * Tests whether its work fails again and again.
     *
     * @return whether entries reach their handlers late or not at all, and the log has the reason
     */
    public boolean isFailing() {
        return queues.isAnyActive() && loop.isFailing();
    }

    /**
     * Ends deliveries. Waits a limited time for running calls and records their outcomes. All other deliveries follow
     * after the store is opened again. Does not wait if a handler calls this.
     *
     * @param deadline limits the wait
     */
    public void stop(Deadline deadline) {
        Duration timeout = settings.timeout();
        loop.stop(timeout.compareTo(MAX_GRACE) < 0 ? timeout : MAX_GRACE, deadline);
        queues.shutdown();
    }

    /**
     * Tests whether the calling thread is running a handler.
     *
     * @return true if so
     */
    public boolean isCalling() {
        return queues.isCalling();
    }
}
