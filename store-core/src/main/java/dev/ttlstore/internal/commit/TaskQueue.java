package dev.ttlstore.internal.commit;

import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

import org.jspecify.annotations.Nullable;

/** The tasks that wait for a commit, in the order of their arrival. Any thread adds, the one that commits takes. */
final class TaskQueue {

    /** Bounds a commit: the memory that it takes, and the time for which the last in line waits. */
    private static final int MAX_BATCH = 1_000;

    private final Queue<Task<?>> tasks = new ConcurrentLinkedQueue<>();

    void add(Task<?> task) {
        tasks.add(task);
    }

    /** The task that waits longest, without those whose callers have given up; null if none waits. */
    @Nullable
    Task<?> first() {
        for (Task<?> task : tasks) {
            if (!task.isClaimed()) {
                return task;
            }
        }
        return null;
    }

    boolean isEmpty() {
        return tasks.isEmpty();
    }

    /**
     * Moves the tasks that can share a commit to a list: all that wait, up to a range command, which goes alone. If it fails in
     * between, each task that has left the queue is in the list.
     */
    void moveTo(List<Task<?>> batch) {
        Task<?> next = tasks.peek();
        while (next != null && batch.size() < MAX_BATCH && (batch.isEmpty() || !next.isRangeCommand())) {
            batch.add(next);
            if (!next.take()) { // its caller has given up, or it is here from a time when this has failed
                batch.remove(batch.size() - 1);
            }
            boolean unused = tasks.remove(next); // false if another took it, when the lock was abandoned meanwhile
            if (!batch.isEmpty() && batch.get(0).isRangeCommand()) {
                return;
            }
            next = tasks.peek();
        }
    }
}
