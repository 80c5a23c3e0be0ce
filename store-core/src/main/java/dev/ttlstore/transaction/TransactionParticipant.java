package dev.ttlstore.transaction;

/**
 * Callbacks of the store for the phases of an application's transaction. The thread of the transaction calls them.
 *
 * @since 0.1
 * @see ApplicationTransaction
 */
public interface TransactionParticipant {

    /**
     * Sends the store's writes of the transaction to the database. Call it as late as possible before the commit,
     * because it takes locks. The store sends later writes at once. If one fails, the next call of this method throws
     * the failure again. So if other code can write after the first call, call this method again before the commit.
     *
     * @throws dev.ttlstore.exception.TransactionConflictException if somebody else has changed what the transaction has
     *     read; roll the transaction back
     */
    void beforeCommit();

    /**
     * Remembers a savepoint.
     *
     * @param savepoint the savepoint
     */
    void savepoint(Object savepoint);

    /**
     * Undoes the store's writes since a savepoint.
     *
     * @param savepoint the savepoint; an unknown one counts as set before the store was used in the transaction
     * @throws IllegalStateException if the store has sent older writes after the savepoint was set, because the
     *     savepoint would undo them too; roll the transaction back
     */
    void rolledBackTo(Object savepoint);

    /**
     * Ends the participation. Throws nothing.
     *
     * @param committed whether the transaction was committed, or may have been committed
     */
    void ended(boolean committed);
}
