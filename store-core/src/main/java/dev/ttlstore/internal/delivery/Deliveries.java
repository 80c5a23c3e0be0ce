package dev.ttlstore.internal.delivery;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.ttlstore.engine.Delivery;
import dev.ttlstore.engine.DeliveryReads;
import dev.ttlstore.engine.DeliveryUpdate;
import dev.ttlstore.engine.Row;
import dev.ttlstore.engine.Subscriber;
import dev.ttlstore.expiry.ExpirySettings;
import dev.ttlstore.internal.base.Deadline;
import dev.ttlstore.internal.base.SafeLog;
import dev.ttlstore.internal.base.StoreClock;
import dev.ttlstore.internal.base.SubscriptionOnce;
import dev.ttlstore.internal.commit.CommitPipeline;
import dev.ttlstore.internal.commit.Subscribers;

/**
 * Hands recorded expiries to the handlers of their subscribers, and notes what becomes of them: a delivery is removed when
 * its handler has returned, put off when it has thrown, and set aside when it has been tried often enough. One thread reads
 * and notes, for all subscribers, and sleeps while there is nothing to do; others call the handlers.
 */
public final class Deliveries {

    private static final Logger log = LoggerFactory.getLogger(Deliveries.class);

    /** Where a time is waited for, the clock is looked at again after this, in case it was set, or the machine has slept. */
    private static final long MAX_SLEEP_NANOS = TimeUnit.SECONDS.toNanos(10);

    /** There is nothing to wait for but a signal. */
    private static final long FOR_EVER = Long.MAX_VALUE;

    private static final long RETRY_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** The name of the thread. */
    public static final String NAME = "ttl-store-delivery";

    /** How long closing waits for handlers, if their own limit is not shorter. */
    private static final Duration MAX_GRACE = Duration.ofSeconds(10);

    private final DeliveryReads reads;
    private final CommitPipeline pipeline;
    private final StoreClock clock;
    private final Subscribers subscribers;
    private final ExpirySettings settings;
    private final RetryPolicy retries;
    private final MissingHandlers missing;
    private final Map<String, SubscriberQueue> queues = new ConcurrentHashMap<>();
    private final Map<String, DeliveryCounts> counts = new ConcurrentHashMap<>();
    private final Semaphore signal = new Semaphore(0);

    private volatile @Nullable Thread thread;

    /** Made when there is a handler; guarded by this. */
    private @Nullable ExecutorService executor;

    private volatile boolean stopping;

    /** When calls that go on are no longer waited for; set before {@link #stopping}. */
    private long graceEnd;

    /** The store is closed and does not wait for the thread, or not any longer: what fails from now on fails by that. */
    private volatile boolean leftBehind;

    /** Whether anything was recorded since it was last asked how much waits for missing handlers. */
    private volatile boolean recorded = true;

    // Used by the thread alone.
    private final Set<String> hastened = new HashSet<>();
    private boolean failing;
    private boolean over;

    /**
     * Prepares deliveries; nothing runs before there is something to do.
     *
     * @param reads where deliveries are read
     * @param pipeline the way in for writes
     * @param clock the store's time
     * @param subscribers who is to be told
     * @param settings how
     */
    public Deliveries(
            DeliveryReads reads,
            CommitPipeline pipeline,
            StoreClock clock,
            Subscribers subscribers,
            ExpirySettings settings) {
        this.reads = reads;
        this.pipeline = pipeline;
        this.clock = clock;
        this.subscribers = subscribers;
        this.settings = settings;
        this.retries =
                new RetryPolicy(settings, () -> ThreadLocalRandom.current().nextDouble());
        this.missing = new MissingHandlers(reads, pipeline, clock, settings.maxBacklog(), System::nanoTime);
    }

    /**
     * Gives a subscriber a handler. What has been recorded for it before is handled first.
     *
     * @param subscriber the name of the subscriber
     * @param handler what handles its deliveries
     * @return takes the handler away again; deliveries are kept from then on
     * @throws IllegalStateException if it has a handler already
     */
    public Runnable begin(String subscriber, Handler handler) {
        queue(subscriber).begin(handler);
        wake();
        return new SubscriptionOnce(() -> end(subscriber))
                ::close; // once, for the next handler is not this one's to end
    }

    private void end(String subscriber) {
        missing.ended(subscriber);
        queue(subscriber).end();
        recorded();
    }

    /** A commit has removed expired entries; called under the writer's lock. */
    public void expired() {
        if (!subscribers.all().isEmpty()) {
            recorded();
        }
    }

    /**
     * Keeps handlers away from a subscriber that is to be removed.
     *
     * @param subscriber its name
     * @return admits handlers again
     * @throws IllegalStateException if it has a handler, or is being removed already
     */
    public Runnable exclude(String subscriber) {
        SubscriberQueue queue = queue(subscriber);
        queue.exclude();
        return queue::admit;
    }

    private SubscriberQueue queue(String subscriber) {
        ExecutorService threads = executor();
        return queues.computeIfAbsent(
                subscriber, name -> new SubscriberQueue(name, settings, threads, signal::release, reads));
    }

    private synchronized ExecutorService executor() {
        ExecutorService made = executor;
        if (made == null) {
            made = HandlerThreads.create(settings.virtualThreads());
            executor = made;
        }
        return made;
    }

    /**
     * Whether a subscriber has a handler.
     *
     * @param subscriber its name
     * @return true if it has
     */
    public boolean isActive(String subscriber) {
        SubscriberQueue queue = queues.get(subscriber);
        return queue != null && queue.isActive();
    }

    /**
     * Whether any subscriber has a handler.
     *
     * @return true if one has
     */
    public boolean isAnyActive() {
        return queues.values().stream().anyMatch(SubscriberQueue::isActive);
    }

    /**
     * What has become of a subscriber's deliveries.
     *
     * @param subscriber the name of the subscriber
     * @return the counts since the store was opened
     */
    public DeliveryCounts counts(String subscriber) {
        return counts.computeIfAbsent(subscriber, name -> new DeliveryCounts());
    }

    private void recorded() {
        recorded = true;
        wake();
    }

    /** The clock may have gone on more than was waited for; if nothing has been delivered yet, nothing happens. */
    public void lookAgain() {
        if (thread != null) {
            signal.release();
        }
    }

    /** There may be something to do. */
    public void wake() {
        if (thread == null) {
            try {
                start();
            } catch (Error e) { // whoever comes next tries again; the one at hand may be in the middle of a commit
                SafeLog.warn(log, "There is no thread to deliver expired entries in; this is tried again", e);
            }
        }
        signal.release();
    }

    private synchronized void start() {
        if (!isAlive() && !stopping) {
            Thread started = new Thread(this::run, NAME);
            started.setDaemon(true);
            started.start(); // which may fail, for want of a thread
            thread = started;
        }
    }

    private boolean isAlive() {
        Thread running = thread;
        return running != null && running.isAlive();
    }

    /**
     * Starts the thread if it should run and does not, for there was none to be had before.
     *
     * @return whether it runs now, or need not
     */
    public boolean ensureRunning() {
        if (isAnyActive()) {
            wake();
        }
        return stopping || isAlive() || !isAnyActive();
    }

    private void run() {
        while (!over && !isGraceOver()) {
            try {
                long wait = turn();
                if (stopping && !isBusy()) {
                    return;
                }
                sleep(stopping ? Math.min(wait, TimeUnit.MILLISECONDS.toNanos(100)) : wait);
            } catch (RuntimeException | Error e) { // out of memory, most likely, and not for good
                failed(e);
                LockSupport.parkNanos(this, RETRY_NANOS);
            }
        }
    }

    private boolean isGraceOver() {
        return stopping && System.nanoTime() - graceEnd > 0;
    }

    private long turn() {
        long wait = FOR_EVER;
        boolean failed = false;
        for (SubscriberQueue queue : queues.values()) {
            try {
                note(queue);
                wait = Math.min(wait, feed(queue));
                wait = Math.min(wait, queue.interruptLate(System.nanoTime()));
            } catch (RuntimeException | Error e) { // either would end all deliveries without a word
                failed = true;
                failed(e);
            }
        }
        try {
            wait = Math.min(wait, trimWaiting());
        } catch (RuntimeException | Error e) {
            recorded = true;
            failed = true;
            failed(e);
        }
        failing = failed;
        return failed ? Math.min(wait, RETRY_NANOS) : wait;
    }

    private void failed(Throwable failure) {
        if (leftBehind) {
            over = true;
        } else if (!failing) {
            failing = true;
            SafeLog.warn(
                    log,
                    "Expired entries cannot be handed to their handlers now; this is tried again each second",
                    failure);
        }
    }

    private void note(SubscriberQueue queue) {
        List<Outcome> done = queue.outcomes();
        if (done.isEmpty()) {
            return;
        }
        List<Long> handled = new ArrayList<>();
        List<Failure> failures = new ArrayList<>();
        long now = clock.now();
        for (Outcome outcome : done) {
            Throwable thrown = outcome.failure();
            if (thrown == null) {
                handled.add(outcome.delivery().id());
            } else {
                DeliveryUpdate update = retries.afterFailure(outcome.delivery(), thrown, now);
                failures.add(new Failure(outcome.delivery(), thrown, update));
            }
        }
        pipeline.ranges().deliveries(writes -> {
            writes.acknowledge(handled, now);
            writes.update(failures.stream().map(Failure::update).toList(), now);
            return true;
        });
        queue.noted(done);
        counts(queue.subscriber()).noted(handled.size(), failures.size());
        failures.forEach(Failure::tell);
    }

    /** Hands on what is due, and tells in how many nanoseconds there will be more. */
    private long feed(SubscriberQueue queue) {
        String subscriber = queue.subscriber();
        int room = stopping ? 0 : queue.room();
        if (room == 0) {
            queue.offer(List.of()); // there may have been no thread to be had before
            return FOR_EVER; // the next outcome comes with a signal
        }
        long now = clock.now();
        if (!hastened.contains(subscriber)) {
            hasten(subscriber, retries.latest(now));
            hastened.add(subscriber);
        }
        int limit = room + queue.held();
        List<Delivery> due = reads.due(subscriber, now, limit);
        queue.offer(due);
        if (due.size() == limit) {
            return FOR_EVER; // as above
        }
        long next = reads.nextAfter(subscriber, now);
        return next == Row.NEVER
                ? FOR_EVER
                : Math.min(MAX_SLEEP_NANOS, TimeUnit.MILLISECONDS.toNanos(Math.max(1, next - now)));
    }

    /** By a clock that was wrong when the store was open before, a retry may have been put off by years. */
    private void hasten(String subscriber, long latest) {
        if (reads.nextAfter(subscriber, latest) != Row.NEVER) {
            int unused = pipeline.ranges().deliveries(writes -> writes.hasten(subscriber, latest));
        }
    }

    /** Drops what is too much for those whose handlers are missing, and tells in how many nanoseconds to look again. */
    private long trimWaiting() {
        if (!recorded || stopping) {
            return FOR_EVER;
        }
        recorded = false;
        List<String> inactive = subscribers.all().stream()
                .map(Subscriber::name)
                .filter(name -> !isActive(name))
                .toList();
        long wait = missing.trim(inactive, this::counts);
        if (wait != MissingHandlers.DONE) {
            recorded = true;
        }
        return wait;
    }

    private void sleep(long nanos) {
        try {
            if (nanos == FOR_EVER) {
                signal.acquire();
            } else {
                boolean unused = signal.tryAcquire(nanos, TimeUnit.NANOSECONDS);
            }
        } catch (InterruptedException e) {
            log.debug("Only closing the store ends its deliveries", e);
        }
        signal.drainPermits(); // one look at what there is will do for all
    }

    private boolean isBusy() {
        return queues.values().stream().anyMatch(SubscriberQueue::isBusy);
    }

    /**
     * Ends deliveries: calls that go on are waited for, for a time, and what they come to is noted. What was not handled is
     * when the store is opened again. Called by a handler it does not wait.
     *
     * @param deadline until when at most
     */
    public void stop(Deadline deadline) {
        Thread running;
        synchronized (this) {
            graceEnd = System.nanoTime() + grace().toNanos();
            stopping = true;
            running = thread;
        }
        queues.values().forEach(SubscriberQueue::end);
        signal.release();
        leftBehind = isCalling();
        if (running != null && !leftBehind) {
            deadline.await(running::join);
            leftBehind = running.isAlive();
        }
        queues.values().forEach(SubscriberQueue::dropCalls);
        synchronized (this) {
            if (executor != null) {
                executor.shutdown();
            }
        }
    }

    /**
     * Whether this thread is in a call of a handler.
     *
     * @return true if so
     */
    public boolean isCalling() {
        Thread caller = Thread.currentThread();
        return queues.values().stream().anyMatch(queue -> queue.isCalledBy(caller));
    }

    private Duration grace() {
        return settings.timeout().compareTo(MAX_GRACE) < 0 ? settings.timeout() : MAX_GRACE;
    }
}
