package dev.ttlstore.internal.commit;

import org.jspecify.annotations.Nullable;

/**
 * Tasks that are committed, or have failed, and whose futures are still to be completed, in the order of their commits. Adding one needs
 * no memory, because no task may be lost for want of it. Thread-safe.
 */
final class UntoldTasks {

    private volatile @Nullable Task<?> first;
    private @Nullable Task<?> last;

    /** Adds a task, which is in no other such list. */
    synchronized void add(Task<?> task) {
        Task<?> before = last;
        if (before == null) {
            first = task;
        } else {
            before.nextUntold = task;
        }
        last = task;
    }

    boolean isEmpty() {
        return first == null;
    }

    /** Takes the first one; null if there is none. */
    synchronized @Nullable Task<?> poll() {
        Task<?> next = first;
        if (next != null) {
            first = next.nextUntold;
            next.nextUntold = null;
            if (first == null) {
                last = null;
            }
        }
        return next;
    }
}
