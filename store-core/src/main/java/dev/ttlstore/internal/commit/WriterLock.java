package dev.ttlstore.internal.commit;

import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import static java.util.Objects.requireNonNull;

/**
 * Lets one thread write at a time, in the order of their arrival. It can be abandoned for good while somebody holds it, and
 * then all who wait for it are let go without it.
 */
final class WriterLock {

    /** Fair, so that a transaction gets its turn among those who lead, and they get theirs among transactions. */
    private final Semaphore permit = new Semaphore(1, true);

    private volatile @Nullable Thread holder;

    /** What to tell those who do not get it; null as long as it is not abandoned. */
    private volatile @Nullable Supplier<? extends RuntimeException> refusal;

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
        if (refusal != null) {
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
    void abandon(Supplier<? extends RuntimeException> reason) {
        refusal = reason;
        permit.release(Integer.MAX_VALUE / 2); // more than there are threads
    }

    /** Why it is not to be had, once it has been abandoned. */
    RuntimeException refusal() {
        return requireNonNull(refusal, "not abandoned").get();
    }
}
