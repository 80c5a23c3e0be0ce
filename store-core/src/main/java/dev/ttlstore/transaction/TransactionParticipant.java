package dev.ttlstore.transaction;

/**
 * What a store does at the turns of a transaction of the application. Called by the thread that is in the transaction. See {@link
 * ApplicationTransaction}.
 *
 * @since 0.1
 * @see ApplicationTransaction
 */
public interface TransactionParticipant {

    /**
     * Writes all that the store is to commit with the transaction. Called as late as possible before the commit, because it takes
     * locks. What the store is asked to write afterwards, it writes at once; if it could not, another call throws that again. So a
     * caller that lets others write after the first call calls this once more, before it commits.
     *
     * @throws dev.ttlstore.exception.TransactionConflictException if somebody else has changed what the transaction has read; the
     *     transaction must be rolled back
     */
    void beforeCommit();

    /**
     * Notes a savepoint.
     *
     * @param savepoint the savepoint
     */
    void savepoint(Object savepoint);

    /**
     * Undoes what the store was asked to write since a savepoint.
     *
     * @param savepoint the savepoint; one that was not noted counts as set before the store was used in the transaction
     * @throws IllegalStateException if that also undoes what the store was asked to write before the savepoint, but has sent after it;
     *     the transaction must be rolled back
     */
    void rolledBackTo(Object savepoint);

    /**
     * Ends the participation. Throws nothing.
     *
     * @param committed whether the transaction was committed, or may have been
     */
    void ended(boolean committed);
}
