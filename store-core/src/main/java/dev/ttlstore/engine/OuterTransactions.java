package dev.ttlstore.engine;

import java.util.function.Function;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.transaction.TransactionParticipant;

/** The transactions of the application on the engine's database, in which the store takes part. Thread-safe. */
public interface OuterTransactions {

    /**
     * Takes part in the transaction of the calling thread.
     *
     * @param begin makes the participant, when the thread uses the store for the first time in this transaction
     * @return the participant; null if the thread is in no transaction on this database
     * @throws dev.ttlstore.exception.StoreException if the store cannot take part in the transaction
     */
    @Nullable
    TransactionParticipant join(Function<OuterTransaction, TransactionParticipant> begin);
}
