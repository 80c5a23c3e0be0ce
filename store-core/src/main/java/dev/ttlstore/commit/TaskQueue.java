package dev.ttlstore.commit;

import java.util.ArrayList;
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

    /** The task that waits longest; null if none waits. */
    @Nullable
    Task<?> first() {
        return tasks.peek();
    }

    boolean isEmpty() {
        return tasks.isEmpty();
    }

    /** Takes the tasks that can share a commit: all that wait, up to a set-wide one, which goes alone. */
    List<Task<?>> nextBatch() {
        List<Task<?>> batch = new ArrayList<>();
        Task<?> next = tasks.peek();
        while (next != null && batch.size() < MAX_BATCH) {
            if (next.isSetWide() && !batch.isEmpty()) {
                break;
            }
            tasks.remove();
            batch.add(next);
            if (next.isSetWide()) {
                break;
            }
            next = tasks.peek();
        }
        return batch;
    }
}
