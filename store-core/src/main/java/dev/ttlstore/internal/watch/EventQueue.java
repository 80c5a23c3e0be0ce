package dev.ttlstore.internal.watch;

import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.ttlstore.engine.support.BackgroundThreads;
import dev.ttlstore.engine.support.BytePermits;
import dev.ttlstore.engine.support.Deadline;
import dev.ttlstore.event.StoreEvent;

/**
 * The events of commits that are not delivered yet, in commit order. They are added by one thread at a time. One thread at a time delivers
 * them, for all that wait. Thread-safe.
 */
final class EventQueue {

    private static final Logger log = LoggerFactory.getLogger(EventQueue.class);

    /** No sequence number. */
    private static final long NONE = Long.MIN_VALUE;

    private final Queue<CommitEvents> waiting = new ConcurrentLinkedQueue<>();

    /** For the events of other processes. The last commit may take more than is left. */
    private final BytePermits remote = new BytePermits(4 * 1024 * 1024);

    /** The number from which on events could not be queued; NONE if all were. */
    private final AtomicLong unqueued = new AtomicLong(NONE);

    private final OpenWatches watches;
    private final EventListeners listeners;
    private final EventValues values;
    private final DeliveryTurn turn;

    /**
     * The last delivery that a listener itself has caused. The delivering thread must deliver it too. Guarded by the
     * turn.
     */
    private @Nullable CommitEvents nested;

    EventQueue(OpenWatches watches, EventListeners listeners, EventValues values) {
        this.watches = watches;
        this.listeners = listeners;
        this.values = values;
        this.turn = new DeliveryTurn(listeners.call());
    }

    /** Adds the events of a commit whose writers wait until they are delivered. */
    CommitEvents add(List<StoreEvent> events) {
        CommitEvents added = new CommitEvents(events, 0);
        waiting.add(added);
        return added;
    }

    /** Adds the events of a commit of another process, for which no writer waits. */
    void addRemote(List<StoreEvent> events) {
        long bytes = 0;
        for (StoreEvent event : events) {
            bytes += EventSizes.of(event);
        }
        waiting.add(new CommitEvents(events, bytes));
        remote.takeAnyway(bytes); // last: without memory, nothing is queued
    }

    /** Tests whether events of other processes have room. */
    boolean hasRoomForRemote() {
        return remote.isLeft();
    }

    void addLoss(long fromSequence) {
        waiting.add(CommitEvents.lost(fromSequence));
    }

    /** Notes that events could not be added. Needs no memory. */
    void unqueued(long fromSequence) {
        boolean unused = unqueued.compareAndSet(NONE, fromSequence);
    }

    /** Tests whether this thread delivers events, so that it is inside a listener. */
    boolean isDeliveredByMe() {
        return turn.isMine();
    }

    /** Tests whether the thread that delivers has left its work without an end. */
    boolean isStuck() {
        return turn.isLost();
    }

    /** Waits until events are delivered. Within a listener it returns at once, and they are delivered after the current event. */
    void deliver(@Nullable CommitEvents events) {
        if (events == null && unqueued.get() == NONE) {
            return;
        }
        if (turn.isMine()) {
            nested = events == null ? nested : events;
            return;
        }
        tellUntil(events);
    }

    /** Waits until all events so far are delivered. Within a listener it returns at once. */
    void deliverSoFar() {
        if (turn.isMine()) {
            return;
        }
        CommitEvents last = null;
        for (CommitEvents queued : waiting) {
            last = queued;
        }
        tellUntil(last); // even if the queue is empty, because another thread may still be delivering
    }

    private void tellUntil(@Nullable CommitEvents delivery) {
        if (!turn.await()) {
            return;
        }
        boolean interrupted = Thread.interrupted(); // meant for this thread, and listeners work for others too
        try {
            while (delivery != null && !delivery.isDelivered()) {
                tellNext();
            }
            while (nested != null && !nested.isDelivered()) {
                tellNext();
            }
            nested = null;
            tellUnqueued();
        } finally {
            turn.end();
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Adds the gap of events that were not queued after those that were. After later ones it does as well. */
    private void tellUnqueued() {
        long from = unqueued.get();
        if (from != NONE && waiting.isEmpty() && unqueued.compareAndSet(from, NONE)) {
            watches.lost(from);
        }
    }

    /** Delivers all events for the last time. If a listener does not return in time, nobody waits for it any longer. */
    void deliverAll(Deadline deadline) {
        if (turn.isMine() || (waiting.isEmpty() && !turn.isTaken())) {
            return;
        }
        // In a thread that can be abandoned, because a listener that has yet to be called may not return.
        Thread teller = BackgroundThreads.named("ttl-store-close").newThread(this::tellAll);
        teller.start();
        deadline.await(teller);
        if (teller.isAlive()) {
            turn.abandon();
            ListenerCall call = listeners.call();
            log.warn(
                    "{}. The store closes without it, and {} commits are not published. To wait longer, raise the"
                            + " builder's closeTimeout(…)",
                    call.described(),
                    waiting.size(),
                    call.where());
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
            Long lostFrom = next.lostFrom();
            if (lostFrom != null) {
                watches.lost(lostFrom);
            }
            for (int i = 0; i < next.events().size(); i++) { // an iterator would need memory
                tell(next.events().get(i));
            }
        } finally {
            remote.giveBack(next.bytes());
            next.markDelivered(); // whatever happens: otherwise a waiting thread would wait forever
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
