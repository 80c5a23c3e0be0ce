package dev.ttlstore.internal.watch;

import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

import dev.ttlstore.engine.support.SafeLog;
import dev.ttlstore.event.StoreEvent;
import dev.ttlstore.event.WatchOptions;
import dev.ttlstore.event.WatchSignal;

/**
 * The signals between the writers and the readers of a watch. The lock is held for the few instructions of a
 * {@link WatchBuffer}, never while a caller's code runs, so a writer does not wait for a reader. Thread-safe.
 */
final class WatchQueue {

    private static final long LOCK_NANOS = 10_000;

    private final WatchBuffer buffer;
    private final ReentrantLock lock = new ReentrantLock();

    /** Signalled if there may be a signal to take, or the queue is closed. */
    private final Condition arrived = lock.newCondition();

    /**
     * Signalled if there may be demand, or demand has ended. Separate, so that changes do not wake subscribers without
     * demand.
     */
    private final Condition demanded = lock.newCondition();

    private final WaitingReader waiting = new WaitingReader();

    /** What comes before the changes. It is read outside of the lock. */
    private final WatchHead head;

    /** Changed only under the lock. */
    private volatile boolean closed;

    WatchQueue(WatchOptions options, WatchHead head) {
        this.buffer = new WatchBuffer(options);
        this.head = head;
    }

    /** Adds a change with the size of its value, unless closed; returns false if a change had to be dropped for it. */
    boolean offer(StoreEvent event, long valueBytes) {
        boolean room;
        lock.lock();
        try {
            if (closed) {
                return true;
            }
            room = buffer.offer(event, valueBytes);
            arrived.signal(); // one reader is enough: an offer adds at most one signal
        } finally {
            lock.unlock();
        }
        waiting.wake();
        return room;
    }

    /** Adds a gap, unless closed. Needs no memory, as waiting for the lock may; it is held for a few instructions only. */
    void lost(long fromSequence) {
        while (!lock.tryLock()) {
            LockSupport.parkNanos(this, LOCK_NANOS);
        }
        try {
            if (!closed) {
                buffer.lost(fromSequence);
                arrived.signal();
            }
        } finally {
            lock.unlock();
        }
        waiting.wake();
    }

    /** Calls an action once there may be a signal to take, or the queue is closed. */
    void onReady(Runnable action) {
        waiting.await(action);
        if (isReady()) { // asked afterwards, so that no change comes in between
            waiting.wake();
        }
    }

    private boolean isReady() {
        return locked(() -> closed || !head.isEnded() || !buffer.isEmpty());
    }

    private <T extends @Nullable Object> T locked(Supplier<T> work) {
        lock.lock();
        try {
            return work.get();
        } finally {
            lock.unlock();
        }
    }

    /** Takes the next signal; returns null if there is none. */
    @Nullable
    WatchSignal poll() {
        WatchSignal first = head.poll();
        return first != null ? first : this.<@Nullable WatchSignal>locked(this::next);
    }

    /** Waits for the next signal and takes it; returns null if the time is over, or the queue is closed and empty. */
    @Nullable
    WatchSignal poll(long nanos) throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        WatchSignal first = head.poll();
        if (first != null) {
            return first;
        }
        lock.lockInterruptibly();
        try {
            long left = nanos;
            WatchSignal next = next();
            while (next == null && !closed && left > 0) {
                left = arrived.awaitNanos(left);
                next = next();
            }
            return next;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Waits for demand and for a signal to meet it; returns null if the demand has ended, or the queue is closed and
     * empty.
     */
    @Nullable
    WatchSignal take(Demand demand) {
        while (!head.isEnded() && awaitDemand(demand)) {
            WatchSignal first = head.poll();
            if (first != null) {
                boolean unused = locked(() -> {
                    demand.meet();
                    return true;
                });
                return first;
            }
        }
        lock.lock();
        try {
            while (!demand.isOver() && !isOver()) {
                WatchSignal next = demand.isPending() ? next() : null;
                if (next != null) {
                    demand.meet();
                    return next;
                }
                (demand.isPending() ? arrived : demanded).awaitUninterruptibly();
            }
            return null;
        } finally {
            lock.unlock();
        }
    }

    /** Waits for demand; returns false if it has ended, or the queue is closed. */
    private boolean awaitDemand(Demand demand) {
        return locked(() -> {
            while (!demand.isOver() && !closed && !demand.isPending()) {
                demanded.awaitUninterruptibly();
            }
            return !demand.isOver() && !closed;
        });
    }

    void request(Demand demand, long requested) {
        boolean unused = locked(() -> {
            demand.add(requested);
            demanded.signalAll();
            return true;
        });
    }

    void end(Demand demand) {
        lock.lock();
        try {
            demand.end();
            wakeAll();
        } finally {
            lock.unlock();
        }
    }

    /** Closes the queue; returns whether it was open. */
    boolean close() {
        boolean open;
        lock.lock();
        try {
            open = !closed;
            closed = true;
            head.end();
            wakeAll();
        } finally {
            lock.unlock();
        }
        waiting.wake();
        return open;
    }

    boolean isClosed() {
        return closed;
    }

    long dropped() {
        return locked(buffer::dropped);
    }

    long conflated() {
        return locked(buffer::conflated);
    }

    /** Tests whether no signal will come any more. */
    private boolean isOver() {
        return closed && (head.isCut() || buffer.isEmpty());
    }

    private @Nullable WatchSignal next() {
        WatchSignal next = head.isCut() ? null : buffer.poll(); // changes mean nothing without all of the head
        if (isOver()) {
            demanded.signalAll(); // subscribers without demand must also learn that the queue is closed
        }
        return next;
    }

    private void wakeAll() {
        arrived.signalAll();
        demanded.signalAll();
    }

    /** The reader of a watch that waits without a thread, if there is one. Thread-safe. */
    private static final class WaitingReader {

        private static final SafeLog NOT_WOKEN = SafeLog.ofApplication(
                LoggerFactory.getLogger(WatchQueue.class),
                "A reader of a watch could not be woken; the next change tries again");

        private final AtomicReference<@Nullable Runnable> action = new AtomicReference<>();

        /** Lets the next {@link #wake} call an action. */
        void await(Runnable next) {
            if (!action.compareAndSet(null, next)) {
                throw new IllegalStateException("Another action waits for the watch; open a watch for each reader");
            }
        }

        /** Calls the action, if one waits, and forgets it. Throws nothing, because a writer calls this. Needs no memory itself. */
        void wake() {
            Runnable waiting = action.getAndSet(null);
            if (waiting != null) {
                try {
                    waiting.run();
                } catch (RuntimeException | Error e) {
                    action.compareAndSet(null, waiting);
                    NOT_WOKEN.warn(e);
                }
            }
        }
    }

    /**
     * The number of signals that a subscriber has requested and not received yet. Changed only under the lock of
     * the queue.
     */
    static final class Demand {

        /** A demand without limit, which no longer changes. */
        private static final long UNBOUNDED = Long.MAX_VALUE;

        private long pending;
        private volatile boolean over;

        void add(long requested) {
            long sum = pending + requested;
            pending = sum < 0 ? UNBOUNDED : sum;
        }

        void meet() {
            if (pending != UNBOUNDED) {
                pending--;
            }
        }

        boolean isPending() {
            return pending > 0;
        }

        /** Ends the demand: the subscriber wants no more signals. */
        void end() {
            over = true;
        }

        /** Returns whether the demand has ended; may be called without the lock. */
        boolean isOver() {
            return over;
        }
    }
}
