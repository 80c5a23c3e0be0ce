package dev.ttlstore.internal.commit;

import java.util.concurrent.atomic.AtomicBoolean;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.ttlstore.engine.support.BackgroundThreads;
import dev.ttlstore.engine.support.Deadline;
import dev.ttlstore.engine.support.SafeLog;

/**
 * Commits the queued submissions of a store that closes. A thread of its own commits them, because a silent server would delay the closing
 * thread for longer than it may wait. The closing thread has taken the writer, which the other one uses. Used once.
 */
final class LastCommits {

    private static final Logger log = LoggerFactory.getLogger(LastCommits.class);

    private static final SafeLog NO_THREAD =
            new SafeLog(log, "No thread could be created for the last writes, so closing may take longer");

    private final GroupCommit groupCommit;
    private final Writer writer;

    /** Set by the first one of: the committing thread that has ended, and the closing thread that waits no longer. */
    private final AtomicBoolean ended = new AtomicBoolean();

    /**
     * Prepares the commits.
     *
     * @param groupCommit has the queued submissions
     * @param writer the one that the closing thread has taken with all others
     */
    LastCommits(GroupCommit groupCommit, Writer writer) {
        this.groupCommit = groupCommit;
        this.writer = writer;
    }

    /**
     * Commits all queued submissions, or gives up waiting for that. In the latter case the committing thread completes their futures, else the
     * caller does.
     *
     * @param deadline when to give up
     * @return whether all submissions were committed
     */
    boolean commit(Deadline deadline) {
        if (groupCommit.hasNoSubmissions()) {
            return true;
        }
        Thread thread = started();
        if (thread == null) {
            commitAll();
        } else {
            deadline.await(thread);
        }
        boolean all = !ended.compareAndSet(false, true);
        if (all) {
            writer.adopt();
        }
        return all;
    }

    private @Nullable Thread started() {
        try {
            Thread thread = BackgroundThreads.named("ttl-store-last-commits").newThread(this::commitAll);
            thread.start();
            return thread;
        } catch (OutOfMemoryError e) {
            NO_THREAD.warn(e);
            return null;
        }
    }

    private void commitAll() {
        writer.adopt();
        groupCommit.commitTheRest(writer);
        if (!ended.compareAndSet(false, true)) {
            groupCommit.tellAll();
        }
    }
}
