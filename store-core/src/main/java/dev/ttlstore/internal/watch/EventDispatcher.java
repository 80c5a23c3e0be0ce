package dev.ttlstore.internal.watch;

import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.ttlstore.engine.support.BackgroundThreads;
import dev.ttlstore.engine.support.BytePermits;
import dev.ttlstore.engine.support.Deadline;
import dev.ttlstore.event.StoreEvent;
import dev.ttlstore.event.StoreListener;
import dev.ttlstore.event.Subscription;
import dev.ttlstore.event.Watch;

/**
 * Delivers committed changes to watches and listeners, in commit order. Commits are queued one after the other.
 * Before a writer returns, it makes sure that its own commit has been delivered, and delivers earlier ones on the way.
 * Commits are queued by one thread at a time, and delivered by one thread at a time, for all that wait.
 */
public final class EventDispatcher {

    private static final Logger log = LoggerFactory.getLogger(EventDispatcher.class);

    /** No sequence number. */
    private static final long NONE = Long.MIN_VALUE;

    /** How many listeners and watches have asked for values. */
    private final AtomicInteger askedForValues = new AtomicInteger();

    private final EventListeners listeners = new EventListeners(askedForValues);
    private final EventHistory history;
    private final OpenWatches watches;
    private final EventValues values;

    /** The events of commits that are not delivered yet, in commit order. */
    private final Queue<CommitEvents> waiting = new ConcurrentLinkedQueue<>();

    /** For the events of other processes. The last commit may take more than is left. */
    private final BytePermits remote = new BytePermits(4 * 1024 * 1024);

    /** The number from which on events could not be queued; NONE if all were. */
    private final AtomicLong unqueued = new AtomicLong(NONE);

    private final DeliveryTurn turn = new DeliveryTurn(listeners);

    /**
     * The last delivery that a listener itself has caused. The delivering thread must deliver it too. Guarded by the
     * turn.
     */
    private @Nullable CommitEvents nested;

    private volatile Runnable onListener = () -> {};

    /** The events of one commit that are still to be delivered, or a gap. Guarded by the turn once they are queued. */
    public static final class CommitEvents {

        private final List<StoreEvent> events;

        /** The sequence number from which events are missing, because they never arrived; null if all are here. */
        private final @Nullable Long lostFrom;

        /** What they count for; 0 if nobody counts them. */
        private final long bytes;

        private boolean delivered;

        private CommitEvents(List<StoreEvent> events, @Nullable Long lostFrom, long bytes) {
            this.events = events;
            this.lostFrom = lostFrom;
            this.bytes = bytes;
        }
    }

    /**
     * Creates a dispatcher without listeners.
     *
     * @param values converts the values of events
     * @param history how many events are kept for watches that resume
     * @param orders names the order within which the numbers of a group's events rise; null if they rise across the whole store
     */
    public EventDispatcher(EventValues values, int history, @Nullable UnaryOperator<String> orders) {
        this.values = values;
        this.history = EventHistory.of(history, orders);
        this.watches = new OpenWatches(askedForValues, this.history);
    }

    /**
     * Registers a callback for each new listener or watch.
     *
     * @param callback the callback
     */
    public void onListener(Runnable callback) {
        this.onListener = callback;
    }

    /**
     * Registers a listener of some groups. For the others, no value is opened.
     *
     * @param listener the listener
     * @param groups selects the groups whose events it gets, by their full names; must be fast and not fail
     * @return the subscription
     */
    public Subscription subscribe(StoreListener listener, Predicate<String> groups) {
        Subscription subscription = listeners.add(listener, groups);
        onListener.run();
        return subscription;
    }

    /**
     * Tests whether a receiver of a group's events gets values.
     *
     * @param group the full group name
     * @return true if the group's settings say so, or if any listener or watch of the store has asked for values
     */
    public boolean wantsValues(String group) {
        return askedForValues.get() > 0 || values.isForAll(group);
    }

    /**
     * Opens a watch on the events from a sequence on, until it is closed.
     *
     * @param request what to watch
     * @param from the sequence at which its changes begin; earlier events are passed over
     * @return the watch; already closed if {@link #closeWatches} was called
     */
    public Watch watch(WatchRequest request, long from) {
        Watch watch = watches.open(request, from);
        onListener.run();
        return watch;
    }

    /** Closes all watches, including those that are opened later. What {@link Watch#close} leaves can still be read. */
    public void closeWatches() {
        watches.close();
    }

    /**
     * Returns how many events watches have dropped because their readers were too slow.
     *
     * @return the count since the store was opened, including closed watches
     */
    public long watchDrops() {
        return watches.drops();
    }

    /**
     * Returns how often a listener has thrown, or an event has lost its value to an error.
     *
     * @return the count since the store was opened
     */
    public long failures() {
        return listeners.failures();
    }

    /**
     * Returns whether this thread is inside a listener.
     *
     * @return true while a listener that this thread has called is running
     */
    public boolean isTelling() {
        return turn.isMine();
    }

    /**
     * Returns whether there is a listener or an open watch.
     *
     * @return true if there is
     */
    public boolean hasListeners() {
        return !listeners.isEmpty() || !watches.isEmpty();
    }

    /**
     * Returns whether events are delivered to anybody, now or when a watch resumes.
     *
     * @return false if the events of a commit would be dropped
     */
    public boolean keepsEvents() {
        return hasListeners() || history.isActive();
    }

    /**
     * Queues the events of a commit, which are made only if somebody gets them. Called by one thread at a time, in commit order.
     *
     * @param last the number of the last event
     * @param events makes the events
     * @return the delivery to pass to {@link #deliver}; null if there is nothing to deliver
     */
    public @Nullable CommitEvents enqueue(long last, Supplier<List<StoreEvent>> events) {
        if (history.isOrdered()) {
            history.passed(last); // first: who begins to listen now gets later events only, or these
            if (!keepsEvents()) {
                return null;
            }
        }
        return enqueue(events.get());
    }

    /**
     * Queues the events of a commit. Called by one thread at a time, in commit order.
     *
     * @param events the events
     * @return the delivery to pass to {@link #deliver}; null if there is nothing to deliver
     */
    @Nullable
    public CommitEvents enqueue(List<StoreEvent> events) {
        history.committed(events);
        // Listeners are looked up only now. One that registered during the commit may have read the state before it.
        if (events.isEmpty() || !keepsEvents()) {
            return null;
        }
        CommitEvents added = new CommitEvents(events, null, 0);
        waiting.add(added);
        return added;
    }

    /**
     * Notes that the events of a commit could not be queued, as for want of memory. Watches get a gap after all events that are queued.
     * Called by one thread at a time. Needs no memory.
     *
     * @param fromSequence the sequence number from which events may be missing
     */
    public void unqueued(long fromSequence) {
        boolean unused = unqueued.compareAndSet(NONE, fromSequence);
    }

    /**
     * Queues the events of a commit of another process, for which no caller waits.
     *
     * @param events the events
     * @return whether there is anything to deliver
     */
    public boolean enqueueRemote(List<StoreEvent> events) {
        history.committed(events);
        if (events.isEmpty() || !keepsEvents()) {
            return false;
        }
        long bytes = 0;
        for (StoreEvent event : events) {
            bytes += EventSizes.of(event);
        }
        waiting.add(new CommitEvents(events, null, bytes));
        remote.takeAnyway(bytes); // last: without memory, nothing is queued
        return true;
    }

    /**
     * Tests whether more events of other processes may be queued.
     *
     * @return false if those that are queued take too much memory
     */
    public boolean hasRoom() {
        return remote.isLeft();
    }

    /**
     * Queues a gap for all watches: changes of other processes that never arrived. Called in the order of the commits.
     *
     * @param fromSequence the sequence number from which changes may be missing
     */
    public void lost(long fromSequence) {
        history.missed();
        if (!watches.isEmpty() || history.isActive()) {
            waiting.add(new CommitEvents(List.of(), fromSequence, 0));
        }
    }

    /**
     * Notes that a commit has left out events, because nobody asked for them when it was decided. A watch that resumes before them,
     * or that was opened meanwhile, reports a gap.
     *
     * @param sequence a number of the commit
     */
    public void leftOut(long sequence) {
        history.passed(sequence);
        if (keepsEvents()) {
            lost(sequence);
        }
    }

    /**
     * Waits until a commit has been delivered. Returns at once if a listener calls this for its own commit, which is
     * delivered after the current event.
     *
     * @param delivery the commit; null if it has nothing to deliver
     */
    public void deliver(@Nullable CommitEvents delivery) {
        if (delivery == null && unqueued.get() == NONE) {
            return;
        }
        if (turn.isMine()) {
            nested = delivery == null ? nested : delivery;
            return;
        }
        tellUntil(delivery);
    }

    /** Waits until all commits so far have been delivered. Returns at once if a listener calls this. */
    public void deliverSoFar() {
        if (turn.isMine()) {
            return;
        }
        CommitEvents last = null;
        for (CommitEvents queued : waiting) {
            last = queued;
        }
        tellUntil(last); // even if the queue is empty, because another thread may still be delivering
    }

    /**
     * Returns how long the current call of a listener has been running.
     *
     * @return nanoseconds; zero if none is
     */
    public long listenerNanos() {
        return listeners.callNanos();
    }

    /**
     * Tests whether events are not delivered any more.
     *
     * @return whether the thread that was at it has left it without an end
     */
    public boolean isStuck() {
        return turn.isLost();
    }

    /**
     * Delivers everything that is queued, for the last time; does nothing if a listener calls this. If a listener does
     * not return in time, no thread waits for it any longer.
     *
     * @param deadline when to give up
     */
    public void deliverAll(Deadline deadline) {
        if (turn.isMine() || (waiting.isEmpty() && !turn.isTaken())) {
            return;
        }
        // In a thread that can be abandoned, because a listener that has yet to be called may not return.
        Thread teller = BackgroundThreads.named("ttl-store-close").newThread(this::tellAll);
        teller.start();
        deadline.await(teller);
        if (teller.isAlive()) {
            turn.abandon();
            log.warn(
                    "{}. The store closes without it, and {} commits are not published. To wait longer, raise the"
                            + " builder's closeTimeout(…)",
                    listeners.describedCall(),
                    waiting.size(),
                    listeners.whereCalled());
        }
    }

    private void tellUntil(@Nullable CommitEvents delivery) {
        if (!turn.await()) {
            return;
        }
        boolean interrupted = Thread.interrupted(); // meant for this thread, and listeners work for others too
        try {
            while (delivery != null && !delivery.delivered) {
                tellNext();
            }
            while (nested != null && !nested.delivered) {
                tellNext();
            }
            nested = null;
            tellUnqueued();
        } finally {
            turn.end();
            Deadline.restoreInterrupt(interrupted);
        }
    }

    /** Adds the gap of events that were not queued after those that were. After later ones it does as well. */
    private void tellUnqueued() {
        long from = unqueued.get();
        if (from != NONE && waiting.isEmpty() && unqueued.compareAndSet(from, NONE)) {
            watches.lost(from);
        }
    }

    private void tellAll() {
        if (!turn.await()) {
            return;
        }
        try {
            while (!waiting.isEmpty() && !turn.isAbandoned()) {
                tellNext();
            }
            tellUnqueued();
        } finally {
            turn.end();
        }
    }

    private void tellNext() {
        CommitEvents next = waiting.remove();
        try {
            Long lostFrom = next.lostFrom;
            if (lostFrom != null) {
                watches.lost(lostFrom);
            }
            for (int i = 0; i < next.events.size(); i++) { // an iterator would need memory
                tell(next.events.get(i));
            }
        } finally {
            remote.giveBack(next.bytes);
            next.delivered = true; // whatever happens: otherwise a waiting thread would wait forever
        }
    }

    private void tell(StoreEvent event) {
        boolean fed = false;
        try {
            ValuedEvent valued = new ValuedEvent(event, values, listeners::countFailure);
            watches.feed(valued, failure -> listeners.failed(event, failure)); // first, so that no listener delays them
            fed = true;
            listeners.tell(valued);
        } catch (Throwable e) { // most likely there is no memory for these objects
            if (!fed) {
                watches.lost(event.sequence());
            }
            listeners.failed(event, e);
        }
    }
}
