package dev.ttlstore.internal.watch;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.ttlstore.engine.support.Deadline;
import dev.ttlstore.internal.base.LockHolder;

/**
 * The turn of one thread to deliver events. The others wait for it, however long its listeners take, until the store stops waiting for
 * them. Thread-safe.
 */
final class DeliveryTurn {

    private static final Logger log = LoggerFactory.getLogger(DeliveryTurn.class);

    /** A thread that waits longer than this for a listener logs it, once for each event. */
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(10);

    /** How often a waiting thread checks whether the store has stopped waiting for its listeners. */
    private static final Duration LOOK = Duration.ofSeconds(1);

    private final ReentrantLock lock = new ReentrantLock();
    private final LockHolder holder = new LockHolder("dev.ttlstore.internal.watch.");
    private final EventListeners listeners;
    private volatile boolean abandoned;

    /**
     * Creates a turn that no thread has.
     *
     * @param listeners the listeners, which the thread calls whose turn it is
     */
    DeliveryTurn(EventListeners listeners) {
        this.listeners = listeners;
    }

    /** Tests whether it is the turn of this thread, which is inside a listener then. */
    boolean isMine() {
        return lock.isHeldByCurrentThread();
    }

    /** Tests whether it is the turn of any thread. */
    boolean isTaken() {
        return lock.isLocked();
    }

    /** Tests whether the thread whose turn it is has left it without an end. */
    boolean isLost() {
        return holder.isLost();
    }

    /** Waits until it is the turn of this thread. Returns false if the store has stopped waiting for its listeners. */
    boolean await() {
        boolean mine = lock.tryLock();
        while (!mine && !abandoned) {
            // In spite of an interrupt: the write is done, and its caller expects that the listeners were called.
            mine = Deadline.in(LOOK).tryUntil(nanos -> lock.tryLock(nanos, TimeUnit.NANOSECONDS));
            if (!mine && listeners.isCallNewlyOver(PATIENCE_NANOS)) {
                log.warn(
                        "{}. Writers wait for it, although readers already see their writes. Let listeners pass long work"
                                + " to another thread",
                        listeners.describedCall(),
                        listeners.whereCalled());
            }
        }
        if (mine) {
            holder.taken();
        }
        return mine;
    }

    void end() {
        holder.givenBack();
        lock.unlock();
    }

    /** Lets nobody wait any longer. */
    void abandon() {
        abandoned = true;
    }

    boolean isAbandoned() {
        return abandoned;
    }
}
