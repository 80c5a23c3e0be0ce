package dev.ttlstore.commit;

import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

import org.jspecify.annotations.Nullable;

/**
 * Lets one thread write at a time, in the order of their arrival. It can be abandoned for good while somebody holds it, and
 * then all who wait for it are let go without it.
 */
final class WriterLock {

    /** Fair, so that a transaction gets its turn among those who lead, and they get theirs among transactions. */
    private final Semaphore permit = new Semaphore(1, true);

    private volatile @Nullable Thread holder;
    private volatile boolean abandoned;

    /** Waits for it, whether interrupted or not; false if it has been abandoned. */
    boolean lock() {
        permit.acquireUninterruptibly();
        return taken();
    }

    /** Waits for it for some time; false if it was not to be had, or has been abandoned. */
    boolean tryLock(long nanos) throws InterruptedException {
        return permit.tryAcquire(nanos, TimeUnit.NANOSECONDS) && taken();
    }

    private boolean taken() {
        if (abandoned) {
            return false;
        }
        holder = Thread.currentThread();
        return true;
    }

    void unlock() {
        holder = null;
        permit.release();
    }

    boolean isHeldByCurrentThread() {
        return holder == Thread.currentThread();
    }

    boolean hasQueuedThreads() {
        return permit.hasQueuedThreads();
    }

    /** Lets all go who wait for it, and whoever comes later. */
    void abandon() {
        abandoned = true;
        permit.release(Integer.MAX_VALUE / 2); // more than there are threads
    }
}
