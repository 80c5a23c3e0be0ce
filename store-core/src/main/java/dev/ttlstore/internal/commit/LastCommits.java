package dev.ttlstore.internal.commit;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.ttlstore.engine.support.BackgroundThreads;
import dev.ttlstore.engine.support.SafeLog;
import dev.ttlstore.internal.base.Completions;
import dev.ttlstore.internal.base.Deadline;

/**
 * Commits the queued tasks of a store that closes. A thread of its own commits them, because a silent server would delay the closing
 * thread for longer than it may wait. The closing thread holds the writer's lock, which the other one uses. Used once.
 */
final class LastCommits {

    private static final Logger log = LoggerFactory.getLogger(LastCommits.class);

    private final Combiner combiner;
    private final WriterLock writer;
    private final Completions completions;
    private final List<Task<?>> committed = new ArrayList<>();

    /** Set by the first one of: the committing thread that has ended, and the closing thread that waits no longer. */
    private final AtomicBoolean ended = new AtomicBoolean();

    /**
     * Prepares the commits.
     *
     * @param combiner has the queued tasks
     * @param writer the lock that the closing thread holds
     * @param completions completes the futures
     */
    LastCommits(Combiner combiner, WriterLock writer, Completions completions) {
        this.combiner = combiner;
        this.writer = writer;
        this.completions = completions;
    }

    /**
     * Commits all queued tasks, or gives up waiting for that. In the latter case the committing thread completes its tasks itself.
     *
     * @param deadline when to give up
     * @param completed gets the tasks that are committed, for the caller to complete
     * @return whether all tasks were committed
     */
    boolean commit(Deadline deadline, List<Task<?>> completed) {
        if (combiner.hasNoTasks()) {
            return true;
        }
        Thread thread = BackgroundThreads.named("ttl-store-last-commits").newThread(this::commitAll);
        try {
            thread.start();
            deadline.await(thread::join);
        } catch (OutOfMemoryError e) {
            SafeLog.warn(log, "No thread could be created for the last writes, so closing may take longer", e);
            commitAll();
        }
        boolean all = !ended.compareAndSet(false, true);
        if (all) {
            writer.adopt();
            completed.addAll(committed);
        }
        return all;
    }

    private void commitAll() {
        writer.adopt();
        try {
            combiner.commitTheRest(committed);
        } finally {
            if (!ended.compareAndSet(false, true)) {
                committed.forEach(Task::wakeCaller);
                committed.forEach(task -> task.tellFuture(completions));
            }
        }
    }
}
