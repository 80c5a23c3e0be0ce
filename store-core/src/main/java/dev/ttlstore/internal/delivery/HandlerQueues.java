package dev.ttlstore.internal.delivery;

import java.util.Collection;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Semaphore;
import java.util.function.Consumer;
import java.util.function.Predicate;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.engine.Deliveries;
import dev.ttlstore.expiry.ExpirySettings;

/** The subscribers that have a handler, or had one whose work is not over, with their queues; and counts of all. Thread-safe. */
public final class HandlerQueues {

    private final Deliveries deliveries;
    private final ExpirySettings settings;
    private final Semaphore signal;
    private final HandlerThreads threads;
    private final Map<String, SubscriberQueue> queues = new ConcurrentHashMap<>();
    private final Map<String, DeliveryCounts> counts = new ConcurrentHashMap<>();

    /** Created with the first handler; guarded by this. */
    private @Nullable ExecutorService executor;

    /**
     * Creates an empty set of queues.
     *
     * @param deliveries reads values
     * @param settings concurrency, timeout and threads of the calls
     * @param signal released when a call has an outcome
     */
    HandlerQueues(Deliveries deliveries, ExpirySettings settings, Semaphore signal) {
        this.deliveries = deliveries;
        this.settings = settings;
        this.signal = signal;
        this.threads = new HandlerThreads(settings.virtualThreads());
    }

    Collection<SubscriberQueue> all() {
        return queues.values();
    }

    /** Tests whether a subscriber has a queue. */
    boolean has(String subscriber) {
        return queues.containsKey(subscriber);
    }

    /** Changes the queue of a subscriber, and creates it if there is none. It is not dropped meanwhile. */
    void change(String subscriber, Consumer<SubscriberQueue> change) {
        ExecutorService used = executor();
        SubscriberQueue unused = queues.compute(subscriber, (name, present) -> {
            SubscriberQueue queue =
                    present == null ? new SubscriberQueue(name, settings, used, signal::release, deliveries) : present;
            change.accept(queue);
            return queue;
        });
    }

    /** Drops the queue of a subscriber without a handler and without work, unless it is kept. */
    void dropUnused(String subscriber, Predicate<String> kept) {
        SubscriberQueue unused = queues.computeIfPresent(
                subscriber, (name, queue) -> queue.isUnused() && !kept.test(name) ? null : queue);
    }

    /** Forgets the counts of a subscriber that was removed. */
    void forget(String subscriber) {
        DeliveryCounts unused = counts.remove(subscriber);
    }

    private synchronized ExecutorService executor() {
        ExecutorService made = executor;
        if (made == null) {
            made = threads.executor();
            executor = made;
        }
        return made;
    }

    /**
     * Tests whether a subscriber has a handler.
     *
     * @param subscriber its name
     * @return true if it has
     */
    public boolean isActive(String subscriber) {
        SubscriberQueue queue = queues.get(subscriber);
        return queue != null && queue.isActive();
    }

    /**
     * Tests whether any subscriber has a handler.
     *
     * @return true if one has
     */
    public boolean isAnyActive() {
        return queues.values().stream().anyMatch(SubscriberQueue::isActive);
    }

    boolean isBusy() {
        return queues.values().stream().anyMatch(SubscriberQueue::isBusy);
    }

    /**
     * Tests whether the calling thread is running a handler.
     *
     * @return true if so
     */
    public boolean isCalling() {
        Thread caller = Thread.currentThread();
        return queues.values().stream().anyMatch(queue -> queue.isCalledBy(caller));
    }

    /**
     * Returns the counts of a subscriber's deliveries.
     *
     * @param subscriber the name of the subscriber
     * @return the counts since the store was opened
     */
    public DeliveryCounts counts(String subscriber) {
        return counts.computeIfAbsent(subscriber, name -> new DeliveryCounts());
    }

    void endAll() {
        queues.values().forEach(SubscriberQueue::end);
    }

    /**
     * Interrupts the running calls, and starts no new thread. If an interrupted call fails, its outcome does not
     * count.
     */
    void shutdown() {
        queues.values().forEach(SubscriberQueue::dropCalls);
        synchronized (this) {
            if (executor != null) {
                executor.shutdown();
            }
        }
    }
}
