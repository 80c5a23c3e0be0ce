package dev.ttlstore.internal.watch;

import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.ttlstore.event.StoreEvent;
import dev.ttlstore.event.StoreListener;
import dev.ttlstore.event.Subscription;
import dev.ttlstore.event.Watch;
import dev.ttlstore.event.WatchOptions;
import dev.ttlstore.internal.base.Deadline;
import dev.ttlstore.internal.base.SafeLog;
import dev.ttlstore.internal.base.SubscriptionOnce;

/**
 * Tells watches and listeners of committed changes, in commit order. Commits are queued under the writer's lock; each writer then sees
 * to it that its own commit has been told before it returns, telling those before it on the way.
 */
public final class EventDispatcher {

    private static final Logger log = LoggerFactory.getLogger(EventDispatcher.class);

    private final List<StoreListener> listeners = new CopyOnWriteArrayList<>();
    private final Watches watches = new Watches();
    private final LongAdder failures = new LongAdder();
    private final Queue<CommitEvents> queue = new ConcurrentLinkedQueue<>();
    private final ReentrantLock telling = new ReentrantLock();

    /** Who waits for a listener longer than this says so in the log, once for each event. */
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(10);

    /** Who waits looks that often whether the store has stopped waiting for its listeners. */
    private static final long LOOK_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** The call of a listener at hand, if there is one. */
    private final ListenerCall call = new ListenerCall();

    private volatile boolean abandoned;

    /** The last delivery that a listener has caused itself: who tells now must tell it too. Guarded by the lock. */
    private @Nullable CommitEvents nested;

    private volatile Runnable onListener = () -> {};

    /** Creates a dispatcher without listeners. */
    public EventDispatcher() {}

    /**
     * Says whom to tell when somebody begins to listen.
     *
     * @param callback what to call
     */
    public void onListener(Runnable callback) {
        this.onListener = callback;
    }

    /**
     * Adds a listener.
     *
     * @param listener whom to tell
     * @return the end of it
     */
    public Subscription subscribe(StoreListener listener) {
        listeners.add(listener);
        onListener.run();
        return new SubscriptionOnce(() -> listeners.remove(listener));
    }

    /**
     * Opens a watch, which is fed from now on and until it is closed.
     *
     * @param options how much it holds, and what it does when there is more
     * @param filter which events it looks out for
     * @param mapping what the reader sees of an event; its sequence must stay
     * @return the watch; closed already, if {@link #closeWatches} has been called
     */
    public Watch watch(WatchOptions options, Predicate<StoreEvent> filter, UnaryOperator<StoreEvent> mapping) {
        Watch watch = watches.open(options, filter, mapping);
        onListener.run();
        return watch;
    }

    /** Closes all watches, those that are opened later as well: what has been told is still there to be read. */
    public void closeWatches() {
        watches.close();
    }

    /**
     * How many events watches have dropped because their readers were too slow.
     *
     * @return the count since the store was opened, of closed watches too
     */
    public long watchDrops() {
        return watches.drops();
    }

    /**
     * How often a listener has thrown.
     *
     * @return the count since the store was opened
     */
    public long failures() {
        return failures.sum();
    }

    /**
     * Whether this thread is inside a listener.
     *
     * @return true while a listener that this thread has called is running
     */
    public boolean isTelling() {
        return telling.isHeldByCurrentThread();
    }

    /**
     * Whether anybody listens.
     *
     * @return true if there is a listener or an open watch
     */
    public boolean hasListeners() {
        return !listeners.isEmpty() || !watches.isEmpty();
    }

    /**
     * Queues the events of a commit. Called under the writer's lock, so that the queue is in commit order.
     *
     * @param events the events
     * @return what to pass to {@link #deliver}; null if there is nothing to tell
     */
    @Nullable
    public CommitEvents enqueue(List<StoreEvent> events) {
        // Whether anybody listens is asked now: who came during the commit may have read what stood before it.
        if (events.isEmpty() || !hasListeners()) {
            return null;
        }
        CommitEvents delivery = new CommitEvents(events);
        queue.add(delivery);
        return delivery;
    }

    /**
     * Returns when a commit has been told; at once, when a listener asks for its own, which comes after the event at hand.
     *
     * @param delivery the commit, or null if it has nothing to tell
     */
    public void deliver(@Nullable CommitEvents delivery) {
        if (delivery == null) {
            return;
        }
        if (telling.isHeldByCurrentThread()) {
            nested = delivery;
            return;
        }
        tellUntil(delivery);
    }

    /** Returns when all commits so far have been told; at once, when a listener asks for it. */
    public void deliverSoFar() {
        if (telling.isHeldByCurrentThread()) {
            return;
        }
        CommitEvents last = null;
        for (CommitEvents queued : queue) {
            last = queued;
        }
        tellUntil(last); // though nothing is queued: another thread may be telling what was
    }

    /**
     * For how long the listener that is being called has been running.
     *
     * @return nanoseconds; zero if none is
     */
    public long listenerNanos() {
        return call.nanos();
    }

    /** False when the store has been closed without waiting for a listener any longer. */
    private boolean awaitTurn() {
        boolean mine = telling.tryLock();
        boolean interrupted = false;
        while (!mine && !abandoned) {
            try {
                mine = telling.tryLock(LOOK_NANOS, TimeUnit.NANOSECONDS);
            } catch (InterruptedException e) {
                interrupted = true; // the write is done, and whoever made it is to find its listeners told
            }
            if (!mine && call.isNewlyOver(PATIENCE_NANOS)) {
                log.warn(
                        "{} has not returned for {} s; its thread '{}' is shown. Writers wait for it, though what they have"
                                + " written is there to be read: let listeners hand long work to another thread",
                        call.listener(),
                        TimeUnit.NANOSECONDS.toSeconds(call.nanos()),
                        call.threadName(),
                        call.where());
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        return mine;
    }

    private void tellUntil(@Nullable CommitEvents delivery) {
        if (!awaitTurn()) {
            return;
        }
        try {
            while (delivery != null && !delivery.isDelivered()) {
                tellNext();
            }
            while (nested != null && !nested.isDelivered()) {
                tellNext();
            }
            nested = null;
        } finally {
            telling.unlock();
        }
    }

    /**
     * Tells all that is queued, for the last time; nothing, when a listener asks for it. Where a listener does not return in
     * time nobody waits for it any longer.
     *
     * @param deadline until when to wait
     */
    public void deliverAll(Deadline deadline) {
        if (telling.isHeldByCurrentThread() || (queue.isEmpty() && !telling.isLocked())) {
            return;
        }
        // In a thread that can be left behind: the listener that does not return may be one that is still to be called.
        Thread teller = new Thread(this::tellAll, "ttl-store-close");
        teller.setDaemon(true);
        teller.start();
        deadline.await(teller::join);
        if (teller.isAlive()) {
            abandoned = true;
            log.warn(
                    "{} has not returned for {} s; its thread '{}' is shown. The store is closed without waiting for it any"
                            + " longer, and {} commits are not told. To wait longer raise the builder's closeTimeout(…)",
                    call.listener(),
                    TimeUnit.NANOSECONDS.toSeconds(call.nanos()),
                    call.threadName(),
                    queue.size(),
                    call.where());
        }
    }

    private void tellAll() {
        if (!awaitTurn()) {
            return;
        }
        try {
            while (!queue.isEmpty() && !abandoned) {
                tellNext();
            }
        } finally {
            telling.unlock();
        }
    }

    private void tellNext() {
        CommitEvents next = queue.remove();
        try {
            for (StoreEvent event : next.events()) {
                for (BufferedWatch watch : watches.all()) { // first, so that no listener holds them up
                    tell(offered -> watches.feed(watch, offered), event);
                }
                for (StoreListener listener : listeners) {
                    call.begins(listener);
                    tell(listener, event);
                    call.ends();
                }
            }
        } finally {
            next.markDelivered(); // whatever happens: whoever waits for it would look for it in the queue for ever
        }
    }

    private void tell(StoreListener listener, StoreEvent event) {
        try {
            listener.onEvent(event);
        } catch (Throwable e) { // whatever it is, the write is committed and other callers wait for their turn
            failures.increment();
            SafeLog.warn(
                    log,
                    "A listener has failed on " + event.getClass().getSimpleName() + " " + event.sequence()
                            + " in group '" + event.group() + "'; the write stands",
                    e);
        }
    }
}
