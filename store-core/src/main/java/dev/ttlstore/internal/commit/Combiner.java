package dev.ttlstore.internal.commit;

import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.ttlstore.engine.support.Headroom;
import dev.ttlstore.internal.base.SafeLog;
import dev.ttlstore.internal.watch.EventDispatcher;

/**
 * Lets callers share commits. They queue their tasks, and one of them leads: it commits all that has queued, wakes those whose
 * tasks are done and leaves the lead to one that waits. A lone caller thus writes in its own thread, and many callers share a
 * commit (flat combining: Hendler, Incze, Shavit and Tzafrir, SPAA 2010). Thread-safe.
 */
final class Combiner {

    private static final Logger log = LoggerFactory.getLogger(Combiner.class);

    /** Who waits looks for itself now and then: an error in the thread of another can swallow its signal. */
    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private final WriterLock writer;
    private final EventDispatcher dispatcher;
    private final Consumer<List<Task<?>>> commits;
    private final TaskQueue queue = new TaskQueue();
    private final Queue<Task<?>> untold = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean led = new AtomicBoolean();
    private final Committer committer = new Committer(this::commitAllQueued);

    /**
     * Begins with an empty queue.
     *
     * @param writer held during commits
     * @param dispatcher who tells their events
     * @param commits commits a batch of tasks, and completes each
     */
    Combiner(WriterLock writer, EventDispatcher dispatcher, Consumer<List<Task<?>>> commits) {
        this.writer = writer;
        this.dispatcher = dispatcher;
        this.commits = commits;
    }

    /** Whether nobody waits for a commit. */
    boolean isIdle() {
        return queue.isEmpty() && !writer.hasQueuedThreads();
    }

    /** Has a task committed by another thread, which tells its future. */
    void enqueue(Task<?> task) {
        Headroom.require();
        queue.add(task);
        committer.wake();
    }

    /** Has a task committed, and returns when its listeners have been told. */
    <R extends @Nullable Object> R await(Task<R> task) {
        Headroom.require();
        queue.add(task);
        boolean interrupted = false;
        while (!task.isDone()) {
            try {
                if (!lead()) {
                    LockSupport.parkNanos(this, LOOK_NANOS);
                    // An interrupt does not cancel a write, and a thread with its interrupt status set cannot park.
                    interrupted |= Thread.interrupted();
                }
            } catch (RuntimeException | Error e) { // no room to lead, or to wait
                if (task.withdraw()) {
                    throw e;
                }
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        dispatcher.deliver(task.delivery());
        return task.answer();
    }

    private void commitAllQueued() {
        for (Task<?> task = untold.poll(); task != null; task = untold.poll()) {
            tell(task);
        }
        boolean leading = true;
        while (leading && !queue.isEmpty()) {
            leading = lead(); // if not, somebody else does, and will see what there is
        }
    }

    /**
     * Commits what is queued, unless somebody else is at it: then false, and they will see what was queued before this was
     * asked, for they look at the queue after they have left the lead.
     */
    private boolean lead() {
        if (!led.compareAndSet(false, true)) {
            return false;
        }
        List<Task<?>> batch = List.of();
        try {
            if (writer.lock()) {
                try {
                    batch = commitQueued();
                } finally {
                    writer.unlock();
                }
            } else {
                batch = refuseBatch();
            }
        } finally {
            led.set(false);
            passLead();
            batch.forEach(Task::wakeCaller);
        }
        tellFutures(batch);
        return true;
    }

    private void passLead() {
        Task<?> next = queue.first();
        if (next != null && next.isAsync()) {
            committer.wake();
        } else if (next != null) {
            next.wakeCaller();
        }
    }

    private void tellFutures(List<Task<?>> batch) {
        boolean inListener = dispatcher.isTelling();
        for (Task<?> task : batch) {
            if (task.isAsync() && inListener) {
                untold.add(task); // its own listeners come after the event at hand, and its future after those
                committer.wake();
            } else if (task.isAsync()) {
                tell(task);
            }
        }
    }

    private void tell(Task<?> task) {
        try {
            dispatcher.deliver(task.delivery());
        } catch (RuntimeException | Error e) { // the others are to be told as well
            SafeLog.warn(
                    log, "Listeners and watches could not be notified of a commit; the commit itself succeeded", e);
        } finally {
            task.tellFuture();
        }
    }

    /** Commits what is queued, as much as one commit takes. Used under the writer's lock. */
    List<Task<?>> commitQueued() {
        List<Task<?>> batch = new ArrayList<>();
        try {
            queue.moveTo(batch);
            if (!batch.isEmpty()) {
                commits.accept(batch);
            }
        } catch (RuntimeException | Error failure) { // what was taken from the queue has nobody else to complete it
            batch.forEach(task -> task.failUnlessDone(failure));
        }
        return batch;
    }

    /** Commits all that is queued, and adds what is complete to a list. Used under the writer's lock. */
    void commitTheRest(List<Task<?>> completed) {
        while (!queue.isEmpty()) {
            completed.addAll(commitQueued());
        }
    }

    private List<Task<?>> refuseBatch() {
        List<Task<?>> batch = new ArrayList<>();
        queue.moveTo(batch);
        batch.forEach(task -> task.fail(writer.refusal()));
        return batch;
    }

    /** From now on whoever queues a task commits it. */
    void close() {
        committer.close();
    }
}
