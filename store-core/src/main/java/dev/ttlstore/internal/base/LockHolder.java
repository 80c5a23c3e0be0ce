package dev.ttlstore.internal.base;

import java.util.Arrays;

import org.jspecify.annotations.Nullable;

/**
 * Which thread has a lock, and whether it still does anything with it. An out-of-memory error may leave a lock taken for good: if HotSpot
 * has no memory for objects that an optimization has left out, it drops the frames of the optimized code without their {@code finally}
 * blocks (JDK-8270010). Thread-safe.
 */
public final class LockHolder {

    /** So many frames, the latest ones, newer JVMs tell of a stack at most. */
    private static final int MAX_FRAMES = 1_024;

    private final String code;
    private volatile @Nullable Thread thread;

    /** Changed by the thread that has the lock. */
    private volatile long times;

    /**
     * Creates one without a thread.
     *
     * @param code the beginning of names of classes; a thread that has the lock has one of these classes on its stack
     */
    public LockHolder(String code) {
        this.code = code;
    }

    /** Notes that this thread has the lock. Called under the lock. */
    public void taken() {
        long before = times;
        times = before + 1;
        thread = Thread.currentThread();
    }

    /** Notes that no thread has the lock. Called under the lock. */
    public void givenBack() {
        thread = null;
    }

    /**
     * Tests whether this thread has the lock.
     *
     * @return whether it has
     */
    public boolean isCurrentThread() {
        return thread == Thread.currentThread();
    }

    /**
     * Tests whether the thread that has the lock will never give it back. Takes long, because it looks at that thread's stack.
     *
     * @return whether it has left the code that would do so
     */
    public boolean isLost() {
        long before = times;
        Thread holder = thread;
        boolean isElsewhere = holder != null && isElsewhere(holder.getStackTrace());
        return isElsewhere && thread == holder && times == before;
    }

    /** A stack that was cut may have had the code at its beginning, as of a listener that is deep in a recursion. */
    private boolean isElsewhere(StackTraceElement[] stack) {
        return stack.length < MAX_FRAMES
                && Arrays.stream(stack).noneMatch(frame -> frame.getClassName().startsWith(code));
    }
}
