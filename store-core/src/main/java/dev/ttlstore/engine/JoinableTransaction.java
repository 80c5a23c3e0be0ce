package dev.ttlstore.engine;

/**
 * A transaction of the application on the engine's database, in which the store reads and writes, and which the application
 * commits or rolls back. Used by the thread that is in it.
 *
 * @since 0.1
 */
public interface JoinableTransaction {

    /**
     * Returns whether nothing may be written.
     *
     * @return whether the application has begun it to read only
     */
    boolean isReadOnly();

    /**
     * Reads in the transaction from now on, without locks. Unlike another snapshot, this one sees what was committed before each
     * read, and what the transaction itself has written. Its sequence numbers are provisional: no entry ever gets one.
     *
     * @return the reads; need not be closed
     */
    EngineSnapshot snapshot();

    /**
     * Writes in the transaction. The locks that this takes are held until the transaction ends.
     *
     * @param batch what the store has decided in it
     * @return what was written
     * @throws ConflictException if another owner has changed what that was decided by
     */
    Committed apply(Batch batch);

    /**
     * Notes that the application has rolled back to a savepoint, and has undone what was written since.
     *
     * @param writes how many calls of {@link #apply} had returned before the savepoint
     */
    void rolledBack(int writes);

    /**
     * Called once when the transaction has ended.
     *
     * @param committed whether it was committed, or may have been
     */
    void ended(boolean committed);
}
