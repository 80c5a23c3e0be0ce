package dev.ttlstore.engine;

import java.util.Collection;

/**
 * Follows the commits of an engine, so that what the store keeps in memory is never older than what is committed. Called by the thread that
 * commits, and must not throw.
 *
 * @since 0.1
 */
public interface CommitObserver {

    /** Ignores all commits. */
    CommitObserver NONE = new CommitObserver() {};

    /**
     * Called when a batch is stored, and before it is committed: no reader may find the earlier rows in memory from now on.
     *
     * @param writes what is stored
     */
    default void storing(WriteSet writes) {}

    /**
     * Called instead of {@link #storing} by an engine whose server decides, before it sends the batch: these rows may be changed, and no reader may
     * find the earlier ones in memory from now on.
     *
     * @param rows the names of the rows
     */
    default void sending(Collection<RowKey> rows) {}

    /** Called if what was stored is undone, or the server has done nothing, and the batch runs again within {@link Engine#apply}. Not called if that throws. */
    default void abandoned() {}

    /**
     * Called after the commit, before {@link Engine#apply} returns. The engine keeps the order of commits: it has reported the earlier commits of
     * other processes before, and reports the later ones afterwards.
     *
     * @param committed what the batch has come to
     */
    default void committed(Committed committed) {}
}
