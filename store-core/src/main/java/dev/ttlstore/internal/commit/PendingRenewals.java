package dev.ttlstore.internal.commit;

import java.util.Collection;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.engine.GroupRange;
import dev.ttlstore.engine.RowKey;

/**
 * The entries to which the commit in progress gives a later expiry. Between the writer's last look at the clock and the end of
 * the commit such an entry may expire as readers know it, and then be there again. A reader that finds it expired in that time
 * waits for the end of the commit and looks again; nobody else waits.
 *
 * <p>The writer announces the commit, looks at the clock, and decides again if one of the entries has expired by then. A reader
 * looks at the clock, asks here, and reads the engine after that. So if the reader is too early to find the announcement, the
 * writer's clock is not behind the reader's, for the store's time never runs backwards; and if it is too late, it reads what
 * was committed.
 */
public final class PendingRenewals {

    /** A signal can be lost to an error in the writer's thread, so readers look for themselves now and then. */
    private static final long LOOK_MILLIS = 10;

    private final Lock lock = new ReentrantLock();
    private final Condition ended = lock.newCondition();
    private volatile @Nullable Draft committing;

    /** Creates one without a commit in progress. */
    public PendingRenewals() {}

    /** A commit is about to be made. Its draft is not changed until {@link #end}. */
    void begin(Draft draft) {
        if (draft.renewals().isAny()) {
            committing = draft;
        }
    }

    /** The commit has been made, or has failed. */
    void end() {
        if (committing == null) {
            return;
        }
        committing = null;
        lock.lock();
        try {
            ended.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Returns when no commit is in progress that renews an entry.
     *
     * @param key the entry
     * @param time when it was found to have expired
     */
    public void await(RowKey key, long time) {
        for (Draft draft = committing; draft != null && draft.renewals().contain(key, time); draft = committing) {
            awaitEnd(draft);
        }
    }

    /**
     * Returns when no commit is in progress that renews one of some entries.
     *
     * @param keys the entries
     * @param time the time to judge them by
     */
    public void await(Collection<RowKey> keys, long time) {
        if (committing != null) {
            keys.forEach(key -> await(key, time));
        }
    }

    /**
     * Returns when no commit is in progress that renews an entry of some groups.
     *
     * @param groups the groups
     * @param time the time to judge their entries by
     */
    public void await(GroupRange groups, long time) {
        for (Draft draft = committing; draft != null && draft.renewals().contain(groups, time); draft = committing) {
            awaitEnd(draft);
        }
    }

    private void awaitEnd(Draft draft) {
        boolean interrupted = false;
        lock.lock();
        try {
            while (committing == draft) {
                try {
                    boolean unused = ended.await(LOOK_MILLIS, TimeUnit.MILLISECONDS);
                } catch (InterruptedException e) {
                    interrupted = true; // a commit ends by itself, and soon
                }
            }
        } finally {
            lock.unlock();
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
