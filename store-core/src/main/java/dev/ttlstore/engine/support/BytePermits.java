package dev.ttlstore.engine.support;

import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * The bytes that a queue, a buffer or a batch may hold. Something that is larger than all of it takes all, so that it can still pass,
 * alone. Threads that wait for room get it in the order of their arrival. Nothing here allocates unless a thread waits. Thread-safe.
 *
 * @since 0.1
 */
public final class BytePermits {

    private final int most;
    private final Free free;

    /** The bytes that are free, fewer than none after {@link BytePermits#takeAnyway}. */
    @SuppressWarnings("serial") // never serialized
    private static final class Free extends Semaphore {

        private Free(int bytes) {
            super(bytes, true);
        }

        @Override
        protected void reducePermits(int bytes) {
            super.reducePermits(bytes);
        }
    }

    /**
     * Creates room that is all free.
     *
     * @param most how many bytes it has
     */
    public BytePermits(long most) {
        this.most = (int) Math.min(Integer.MAX_VALUE / 2, most);
        this.free = new Free(this.most);
    }

    private int limited(long bytes) {
        return (int) Math.min(most, bytes);
    }

    /**
     * Takes room if there is enough, and nobody waits for some.
     *
     * @param bytes how many bytes, zero or more
     * @return whether it was taken
     */
    public boolean tryTake(long bytes) {
        return !free.hasQueuedThreads() && free.tryAcquire(limited(bytes));
    }

    /**
     * Takes room, and waits until there is enough.
     *
     * @param bytes how many bytes, zero or more
     * @param nanos how long to wait at most
     * @return whether it was taken
     * @throws InterruptedException if the thread is interrupted; nothing was taken then
     */
    public boolean take(long bytes, long nanos) throws InterruptedException {
        return free.tryAcquire(limited(bytes), nanos, TimeUnit.NANOSECONDS);
    }

    /**
     * Takes room, however much there is.
     *
     * @param bytes how many bytes, zero or more
     */
    public void takeAnyway(long bytes) {
        free.reducePermits(limited(bytes));
    }

    /**
     * Gives back room that was taken.
     *
     * @param bytes as many bytes as were taken at once
     */
    public void giveBack(long bytes) {
        free.release(limited(bytes));
    }

    /**
     * Tests whether there is enough room. Another thread may take it.
     *
     * @param bytes how many bytes, zero or more
     * @return whether there is
     */
    public boolean isThere(long bytes) {
        return free.availablePermits() >= limited(bytes);
    }

    /**
     * Tests whether there is room left.
     *
     * @return false if all is taken
     */
    public boolean isLeft() {
        return free.availablePermits() > 0;
    }
}
