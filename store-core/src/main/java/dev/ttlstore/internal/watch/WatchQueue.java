package dev.ttlstore.internal.watch;

import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.event.StoreEvent;
import dev.ttlstore.event.WatchOptions;
import dev.ttlstore.event.WatchSignal;

/**
 * The place where those who read a watch wait for those who write. The lock is held for the few instructions of a
 * {@link WatchBuffer}, never while anybody's code runs, so a writer waits for no reader. Thread-safe.
 */
final class WatchQueue {

    private final WatchBuffer buffer;
    private final ReentrantLock lock = new ReentrantLock();

    /** There may be a signal to take, or the end has come. */
    private final Condition arrived = lock.newCondition();

    /** There may be demand, or an end to it. Apart from the other, so that changes do not wake who has no demand. */
    private final Condition demanded = lock.newCondition();

    private boolean closed;

    WatchQueue(WatchOptions options) {
        this.buffer = new WatchBuffer(options);
    }

    /** Takes a change in, unless closed; whether nothing had to be dropped for it. */
    boolean offer(StoreEvent event) {
        lock.lock();
        try {
            if (closed) {
                return true;
            }
            boolean room = buffer.offer(event);
            arrived.signal(); // one reader will do: no offer makes for more than one signal more
            return room;
        } finally {
            lock.unlock();
        }
    }

    /** Takes the next signal; null if there is none. */
    @Nullable
    WatchSignal poll() {
        lock.lock();
        try {
            return next();
        } finally {
            lock.unlock();
        }
    }

    /** Waits for the next signal and takes it; null when the time is over, or when closed and empty. */
    @Nullable
    WatchSignal poll(long nanos) throws InterruptedException {
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

    /** Waits for demand and for a signal to meet it with; null when the demand is over, or when closed and empty. */
    @Nullable
    WatchSignal take(Demand demand) {
        lock.lock();
        try {
            while (!demand.isOver() && !(closed && buffer.isEmpty())) {
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

    void request(Demand demand, long requested) {
        lock.lock();
        try {
            demand.add(requested);
            demanded.signalAll();
        } finally {
            lock.unlock();
        }
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

    /** Ends the queue; whether it was open. */
    boolean close() {
        lock.lock();
        try {
            boolean open = !closed;
            closed = true;
            wakeAll();
            return open;
        } finally {
            lock.unlock();
        }
    }

    boolean isClosed() {
        lock.lock();
        try {
            return closed;
        } finally {
            lock.unlock();
        }
    }

    long dropped() {
        lock.lock();
        try {
            return buffer.dropped();
        } finally {
            lock.unlock();
        }
    }

    long conflated() {
        lock.lock();
        try {
            return buffer.conflated();
        } finally {
            lock.unlock();
        }
    }

    private @Nullable WatchSignal next() {
        WatchSignal next = buffer.poll();
        if (closed && buffer.isEmpty()) {
            demanded.signalAll(); // who has no demand is to learn of the end as well
        }
        return next;
    }

    private void wakeAll() {
        arrived.signalAll();
        demanded.signalAll();
    }
}
