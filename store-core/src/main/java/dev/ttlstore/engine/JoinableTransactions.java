package dev.ttlstore.engine;

import java.util.function.Function;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.transaction.TransactionParticipant;

/**
 * The transactions of the application on the engine's database, in which the store takes part. Thread-safe.
 *
 * @since 0.1
 */
public interface JoinableTransactions {

    /**
     * Takes part in the transaction of the calling thread.
     *
     * @param begin makes the participant, when the thread uses the store for the first time in this transaction
     * @return the participant; null if the thread is in no transaction on this database
     * @throws dev.ttlstore.exception.StoreException if the store cannot take part in the transaction
     */
    @Nullable
    TransactionParticipant join(Function<JoinableTransaction, TransactionParticipant> begin);

    /**
     * Requires that a commit outside the transactions of the calling thread does not wait for one of them, which waits for the commit. Asked
     * before each commit, also by threads that are in no transaction.
     *
     * @param groups the groups of the commit
     * @throws dev.ttlstore.exception.StoreException if it would
     */
    void requireFree(GroupRange groups);
}
