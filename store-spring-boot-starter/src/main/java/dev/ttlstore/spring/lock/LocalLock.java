package dev.ttlstore.spring.lock;

import java.time.Duration;
import java.util.ConcurrentModificationException;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

import org.jspecify.annotations.Nullable;
import org.springframework.dao.CannotAcquireLockException;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.scheduling.TaskScheduler;

import dev.ttlstore.TextGroup;
import dev.ttlstore.exception.StoreException;

/** A lock as the threads of this instance see it. They queue here, so that one of them at a time asks the store. Thread-safe. */
final class LocalLock {

    /** To wait for ever. */
    static final long FOREVER = Long.MAX_VALUE;

    /** After this time a waiting thread looks at the lock even if it has heard nothing. */
    private static final Duration POLL = Duration.ofSeconds(1);

    private final TextGroup group;
    private final String key;
    private final String name;
    private final CountDownLatch closed;
    private final LockEntry entry;
    private final ReentrantLock threads = new ReentrantLock();

    /** How many threads hold the lock or wait for it, each as often as it has asked. The registry guards it. */
    private int users;

    LocalLock(TextGroup group, String key, String name, String owner, CountDownLatch closed) {
        this.group = group;
        this.key = key;
        this.name = name;
        this.closed = closed;
        this.entry = new LockEntry(group, key, name, owner);
    }

    LocalLock enter() {
        users++;
        return this;
    }

    /** Returns null once nobody uses the lock. */
    @Nullable
    LocalLock leave(int times) {
        users -= times;
        return users == 0 ? null : this;
    }

    LockEntry entry() {
        return entry;
    }

    boolean isHeldByCurrentThread() {
        return threads.isHeldByCurrentThread();
    }

    /**
     * Acquires the lock.
     *
     * @param ttl how long the lock is held at most
     * @param waitNanos how long to wait for it; zero or less to not wait
     * @param interruptible whether an interrupt ends the wait
     * @param scheduler renews the lock; null for none
     * @return whether the lock is held now
     */
    boolean acquire(Duration ttl, long waitNanos, boolean interruptible, @Nullable TaskScheduler scheduler)
            throws InterruptedException {
        long start = System.nanoTime();
        if (!queue(waitNanos, interruptible)) {
            return false;
        }
        boolean acquired = false;
        try {
            acquired = acquireFromStore(ttl, start, waitNanos, interruptible, scheduler);
            return acquired;
        } finally {
            if (!acquired) {
                threads.unlock();
            }
        }
    }

    private boolean queue(long waitNanos, boolean interruptible) throws InterruptedException {
        if (waitNanos == FOREVER) {
            if (interruptible) {
                threads.lockInterruptibly();
            } else {
                threads.lock();
            }
            return true;
        }
        return interruptible ? threads.tryLock(waitNanos, TimeUnit.NANOSECONDS) : threads.tryLock();
    }

    private boolean acquireFromStore(
            Duration ttl, long start, long waitNanos, boolean interruptible, @Nullable TaskScheduler scheduler)
            throws InterruptedException {
        boolean interrupted = false;
        try (LockWatch watch = new LockWatch(group, key, closed)) {
            while (true) {
                requireOpen();
                try {
                    Optional<Duration> others = entry.take(ttl, watch.isOpen(), scheduler);
                    if (others.isEmpty()) {
                        return true;
                    }
                    long left = waitNanos == FOREVER ? FOREVER : waitNanos - (System.nanoTime() - start);
                    if (left <= 0) {
                        return false;
                    }
                    watch.openOrAwait(min(min(others.get(), POLL), Duration.ofNanos(left)));
                } catch (InterruptedException | StoreException e) {
                    InterruptedException interrupt =
                            e instanceof StoreException failure ? failed(failure) : (InterruptedException) e;
                    if (interruptible) {
                        throw interrupt;
                    }
                    interrupted = true;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private void requireOpen() {
        if (closed.getCount() == 0) {
            throw new CannotAcquireLockException("Failed to lock '" + name + "': the lock registry is closed");
        }
    }

    /** Returns what ends the attempt: an interrupt may be why the store has failed. Nothing stays locked. */
    private InterruptedException failed(StoreException e) {
        entry.clean();
        if (!Thread.interrupted()) {
            throw new CannotAcquireLockException("Failed to lock '" + name + "'", e);
        }
        InterruptedException interrupt = new InterruptedException("Interrupted while locking '" + name + "'");
        interrupt.initCause(e);
        return interrupt;
    }

    private static Duration min(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? one : other;
    }

    /**
     * Ends the holds of this thread if it has found out that the lock is lost, so that other threads can queue.
     *
     * @return how many holds there were
     */
    int abandonIfLost() {
        int holds = threads.getHoldCount();
        if (holds == 0 || entry.isHeld()) {
            return 0;
        }
        for (int i = 0; i < holds; i++) {
            threads.unlock();
        }
        return holds;
    }

    /** Frees the lock, which this thread holds, unless it has locked it more often. */
    void unlock() {
        if (threads.getHoldCount() > 1) {
            threads.unlock();
            return;
        }
        try {
            if (!entry.end()) {
                throw lost(name);
            }
        } catch (StoreException e) {
            throw new DataAccessResourceFailureException("Failed to release the lock '" + name + "'", e);
        } finally {
            threads.unlock();
        }
    }

    static ConcurrentModificationException lost(String name) {
        return new ConcurrentModificationException("The lock '" + name
                + "' has expired before it was unlocked. Another holder may have changed what it protects."
                + " Give it a longer ttl, or renew it");
    }
}
