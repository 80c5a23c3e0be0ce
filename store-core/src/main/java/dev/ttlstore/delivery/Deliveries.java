package dev.ttlstore.delivery;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.ttlstore.commit.CommitPipeline;
import dev.ttlstore.commit.StoreClock;
import dev.ttlstore.commit.Subscribers;
import dev.ttlstore.engine.Delivery;
import dev.ttlstore.engine.DeliveryReads;
import dev.ttlstore.engine.DeliveryUpdate;
import dev.ttlstore.engine.Row;
import dev.ttlstore.engine.Subscriber;
import dev.ttlstore.expiry.ExpirySettings;

/**
 * Hands recorded expiries to the handlers of their subscribers, and notes what becomes of them: a delivery is removed when
 * its handler has returned, put off when it has thrown, and set aside when it has been tried often enough. One thread reads
 * and notes, for all subscribers, and sleeps while there is nothing to do; others call the handlers.
 */
public final class Deliveries {

    private static final Logger log = LoggerFactory.getLogger(Deliveries.class);

    /** After this time the clock is looked at again, in case it was set, or the machine has slept. */
    private static final long MAX_SLEEP_NANOS = TimeUnit.SECONDS.toNanos(10);

    private static final long RETRY_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** How long closing waits for handlers, if their own limit is not shorter. */
    private static final Duration MAX_GRACE = Duration.ofSeconds(10);

    private final DeliveryReads reads;
    private final CommitPipeline pipeline;
    private final StoreClock clock;
    private final Subscribers subscribers;
    private final ExpirySettings settings;
    private final RetryPolicy retries;
    private final Map<String, Worker> workers = new ConcurrentHashMap<>();
    private final Map<String, DeliveryCounts> counts = new ConcurrentHashMap<>();
    private final Semaphore signal = new Semaphore(0);

    private volatile @Nullable Thread thread;

    /** Made when there is a handler; guarded by this. */
    private @Nullable ExecutorService executor;

    private volatile boolean stopping;

    /** Whether anything was recorded since it was last asked how much waits for missing handlers. */
    private volatile boolean recorded = true;

    /** Used by the thread alone. */
    private boolean failing;

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
        subscribers.onRecorded(this::recorded);
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
        ExecutorService threads = executor();
        Worker worker =
                workers.computeIfAbsent(subscriber, name -> new Worker(name, settings, threads, signal::release));
        if (!worker.begin(handler)) {
            throw new IllegalStateException("The expiry subscriber '" + subscriber
                    + "' has a handler already; close its subscription first, or subscribe by another name");
        }
        wake();
        return worker::end;
    }

    private synchronized ExecutorService executor() {
        ExecutorService made = executor;
        if (made == null) {
            made = HandlerThreads.create();
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
        Worker worker = workers.get(subscriber);
        return worker != null && worker.isActive();
    }

    /**
     * Whether any subscriber has a handler.
     *
     * @return true if one has
     */
    public boolean isAnyActive() {
        return workers.values().stream().anyMatch(Worker::isActive);
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
            start();
        }
        signal.release();
    }

    private synchronized void start() {
        if (thread == null && !stopping) {
            Thread started = new Thread(this::run, "ttl-store-delivery");
            started.setDaemon(true);
            thread = started;
            started.start();
        }
    }

    private void run() {
        long graceEnd = 0;
        while (!stopping || isBusy()) {
            if (stopping) {
                graceEnd = graceEnd == 0 ? System.nanoTime() + grace().toNanos() : graceEnd;
                if (System.nanoTime() - graceEnd > 0) {
                    return;
                }
            }
            long wait = turn();
            sleep(stopping ? Math.min(wait, TimeUnit.MILLISECONDS.toNanos(100)) : wait);
        }
    }

    private long turn() {
        try {
            long wait = MAX_SLEEP_NANOS;
            for (Worker worker : workers.values()) {
                note(worker);
                wait = Math.min(wait, feed(worker));
                wait = Math.min(wait, worker.interruptLate(System.nanoTime()));
            }
            if (recorded && !stopping) {
                recorded = false;
                trimWaiting();
            }
            failing = false;
            return wait;
        } catch (RuntimeException | Error e) { // either would end all deliveries without a word
            recorded = true;
            if (!failing) {
                failing = true;
                log.warn("Expired entries cannot be handed to their handlers now; this is tried again each second", e);
            }
            return RETRY_NANOS;
        }
    }

    private void note(Worker worker) {
        List<Outcome> done = worker.takeOutcomes();
        if (done.isEmpty()) {
            return;
        }
        List<Long> handled = new ArrayList<>();
        List<DeliveryUpdate> failed = new ArrayList<>();
        for (Outcome outcome : done) {
            Throwable failure = outcome.failure();
            if (failure == null) {
                handled.add(outcome.delivery().id());
            } else {
                failed.add(retries.afterFailure(outcome.delivery(), failure, clock.now()));
            }
        }
        boolean noted = false;
        try {
            pipeline.deliveries(writes -> {
                writes.acknowledge(handled);
                writes.update(failed);
                return true;
            });
            noted = true;
        } finally {
            if (!noted) {
                worker.putBack(done);
            }
        }
        worker.noted(done);
        counts(worker.subscriber()).noted(handled.size(), failed.size());
        tell(done, failed);
    }

    private void tell(List<Outcome> done, List<DeliveryUpdate> failed) {
        int next = 0;
        for (Outcome outcome : done) {
            Throwable failure = outcome.failure();
            if (failure == null) {
                continue;
            }
            Delivery delivery = outcome.delivery();
            DeliveryUpdate update = failed.get(next++);
            if (update.nextAt() == Row.NEVER) {
                log.warn(
                        "The handler of the expiry subscriber '{}' has failed {} times on an entry of group '{}', which is"
                                + " set aside as the dead letter {}",
                        delivery.subscriber(),
                        update.attempts(),
                        delivery.key().group(),
                        delivery.id(),
                        failure);
            } else {
                log.info(
                        "The handler of the expiry subscriber '{}' has failed on an entry of group '{}' ({}), attempt {};"
                                + " it is tried again",
                        delivery.subscriber(),
                        delivery.key().group(),
                        failure.getClass().getName(),
                        update.attempts());
            }
        }
    }

    /** Hands on what is due, and tells in how many nanoseconds there will be more. */
    private long feed(Worker worker) {
        int room = stopping ? 0 : worker.room();
        if (room == 0) {
            return MAX_SLEEP_NANOS; // the next outcome comes with a signal
        }
        long now = clock.now();
        int limit = room + worker.held();
        List<Delivery> due = reads.due(worker.subscriber(), now, limit);
        worker.offer(due);
        if (due.size() == limit) {
            return MAX_SLEEP_NANOS; // as above
        }
        long next = reads.nextAfter(worker.subscriber(), now);
        return next == Row.NEVER
                ? MAX_SLEEP_NANOS
                : Math.min(MAX_SLEEP_NANOS, TimeUnit.MILLISECONDS.toNanos(Math.max(1, next - now)));
    }

    /** Drops what is too much for a subscriber whose handler is not there. */
    private void trimWaiting() {
        for (Subscriber subscriber : subscribers.all()) {
            String name = subscriber.name();
            if (!isActive(name) && reads.backlog(name).pending() > settings.maxBacklog()) {
                int trimmed = pipeline.deliveries(writes -> writes.trim(name, settings.maxBacklog()));
                if (counts(name).dropped() == 0) {
                    log.warn(
                            "More than {} expiries wait for the handler of the expiry subscriber '{}', which is not there;"
                                    + " the oldest are dropped. Remove the subscriber if it is not needed any more",
                            settings.maxBacklog(),
                            name);
                }
                counts(name).dropped(trimmed);
            }
        }
    }

    private void sleep(long nanos) {
        try {
            boolean unused = signal.tryAcquire(nanos, TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            log.debug("Only closing the store ends its deliveries", e);
        }
        signal.drainPermits(); // one look at what there is will do for all
    }

    private boolean isBusy() {
        return workers.values().stream().anyMatch(Worker::isBusy);
    }

    /**
     * Ends deliveries: calls that go on are waited for, for a time, and what they come to is noted. What was not handled is
     * when the store is opened again. Called by a handler it does not wait.
     */
    public void stop() {
        Thread running;
        synchronized (this) {
            stopping = true;
            running = thread;
        }
        workers.values().forEach(Worker::end);
        signal.release();
        Thread caller = Thread.currentThread();
        if (running != null && workers.values().stream().noneMatch(worker -> worker.isCalledBy(caller))) {
            awaitEnd(running);
        }
        workers.values().forEach(Worker::dropCalls);
        synchronized (this) {
            if (executor != null) {
                executor.shutdown();
            }
        }
    }

    private Duration grace() {
        return settings.timeout().compareTo(MAX_GRACE) < 0 ? settings.timeout() : MAX_GRACE;
    }

    private static void awaitEnd(Thread running) {
        boolean interrupted = false;
        while (running.isAlive()) {
            try {
                running.join();
            } catch (InterruptedException e) {
                interrupted = true; // the wait is bounded by the grace
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
