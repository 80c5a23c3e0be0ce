package dev.ttlstore.commit;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.ReentrantLock;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.ttlstore.engine.Engine;
import dev.ttlstore.engine.Mark;
import dev.ttlstore.engine.RowKey;

/**
 * The one way in for a write. Callers queue their mutation and ask for the writer's lock; who gets it commits all that has
 * queued meanwhile, in one transaction, and the others find their answer there. A lone caller thus writes in its own thread,
 * and many callers share a commit (flat combining: Hendler, Incze, Shavit and Tzafrir, SPAA 2010).
 *
 * <p>Events leave in commit order, after the writer's lock has been given back, so that a listener may write.
 */
public final class CommitPipeline {

    /** Bounds a commit: the memory that it takes, and the time for which the last in line waits. */
    private static final int MAX_BATCH = 1_000;

    private static final Logger log = LoggerFactory.getLogger(CommitPipeline.class);

    private final Engine engine;
    private final StoreClock clock;
    private final EventDispatcher dispatcher;
    private final Queue<Task<?>> queue = new ConcurrentLinkedQueue<>();
    private final ReentrantLock writer = new ReentrantLock();

    // Guarded by the writer's lock.
    private Mark mark;
    private long sequence;

    /**
     * Starts a pipeline.
     *
     * @param engine where rows are kept
     * @param clock the store's time
     * @param dispatcher who tells the events
     */
    public CommitPipeline(Engine engine, StoreClock clock, EventDispatcher dispatcher) {
        this.engine = engine;
        this.clock = clock;
        this.dispatcher = dispatcher;
        this.mark = engine.mark();
        this.sequence = mark.sequence();
    }

    /**
     * Commits a mutation, and returns when its listeners have been told.
     *
     * @param mutation the mutation
     * @return its answer
     * @param <R> the type of the answer
     */
    public <R extends @Nullable Object> R submit(Mutation<R> mutation) {
        Task<R> task = new Task<>(mutation);
        queue.add(task);
        while (!task.isDone()) {
            commitQueued();
        }
        dispatcher.deliver(task.delivery());
        return task.answer();
    }

    /** Commits what is queued, saves how far the store has come, and closes the engine. */
    public void close() {
        writer.lock();
        try {
            while (!queue.isEmpty()) {
                commit(nextBatch());
            }
            Task<Boolean> last = new Task<>(Mutations.touch());
            commit(List.of(last));
            if (last.failure() != null) {
                log.warn("Closing the store could not save how far it has come; nothing is lost by it", last.failure());
            }
        } finally {
            try {
                engine.close();
            } finally {
                writer.unlock();
            }
        }
        dispatcher.deliverAll();
    }

    private void commitQueued() {
        writer.lock();
        try {
            List<Task<?>> batch = nextBatch();
            if (!batch.isEmpty()) {
                commit(batch);
            }
        } finally {
            writer.unlock();
        }
    }

    /** The tasks that can share a commit: all that wait, up to a set-wide one, which goes alone. */
    private List<Task<?>> nextBatch() {
        List<Task<?>> batch = new ArrayList<>();
        Task<?> next = queue.peek();
        while (next != null && batch.size() < MAX_BATCH) {
            if (next.mutation().isSetWide() && !batch.isEmpty()) {
                break;
            }
            queue.remove();
            batch.add(next);
            if (next.mutation().isSetWide()) {
                break;
            }
            next = queue.peek();
        }
        return batch;
    }

    private void commit(List<Task<?>> batch) {
        Draft draft;
        try {
            draft = engine.write(transaction -> {
                Draft drafted = new Draft(transaction, keys(batch), clock, sequence, mark, dispatcher.hasListeners());
                for (Task<?> task : batch) {
                    task.decide(drafted);
                }
                drafted.store();
                return drafted;
            });
        } catch (Throwable failure) { // an Error too must reach those who wait, or they would wait for good
            if (batch.size() == 1) {
                batch.get(0).fail(failure);
            } else {
                // One of them may be the cause (a value too large for the room left): let it fail alone.
                batch.forEach(task -> commit(List.of(task)));
            }
            return;
        }
        sequence = draft.sequence();
        mark = draft.mark();
        Delivery delivery = dispatcher.enqueue(draft.events());
        batch.forEach(task -> task.complete(delivery));
    }

    private static Set<RowKey> keys(List<Task<?>> batch) {
        Set<RowKey> keys = new LinkedHashSet<>();
        for (Task<?> task : batch) {
            keys.addAll(task.mutation().keys());
        }
        return keys;
    }
}
