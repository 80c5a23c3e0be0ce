package dev.ttlstore.internal.commit;

import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.internal.base.LockHolder;

import static java.util.Objects.requireNonNull;

/**
 * Lets one thread write at a time, in the order of their arrival. The lock can be abandoned permanently while a
 * thread holds it. All waiting threads are then released without the lock.
 */
final class WriterLock {

    /** Fair, so that transactions and leading callers each get their turn. */
    private final Semaphore permit = new Semaphore(1, true);

    private final LockHolder holder = new LockHolder("dev.ttlstore.internal.commit.");

    /** Creates the exception for threads that do not get the lock; null unless it was abandoned. */
    private volatile @Nullable Supplier<? extends RuntimeException> refusal;

    /** Waits for the lock, ignoring interrupts. Returns false if it was abandoned. */
    boolean lock() {
        permit.acquireUninterruptibly();
        return taken();
    }

    /** Waits for the lock for a limited time. Returns false if the time is over, or if the lock was abandoned. */
    boolean tryLock(long nanos) throws InterruptedException {
        return permit.tryAcquire(nanos, TimeUnit.NANOSECONDS) && taken();
    }

    private boolean taken() {
        if (refusal != null) {
            return false;
        }
        holder.taken();
        return true;
    }

    /** Makes this thread the holder, in the place of another one that works with it. */
    void adopt() {
        holder.taken();
    }

    void unlock() {
        holder.givenBack();
        permit.release();
    }

    boolean isHeldByCurrentThread() {
        return holder.isCurrentThread();
    }

    /** Tests whether the thread that has the lock will never give it back. */
    boolean isLost() {
        return holder.isLost();
    }

    boolean hasQueuedThreads() {
        return permit.hasQueuedThreads();
    }

    /** Releases all waiting threads without the lock, and all later ones. */
    void abandon(Supplier<? extends RuntimeException> reason) {
        refusal = reason;
        permit.release(Integer.MAX_VALUE / 2); // more than there are threads
    }

    /** Returns the reason why the lock was abandoned. */
    RuntimeException refusal() {
        return requireNonNull(refusal, "not abandoned").get();
    }
}
