package dev.ttlstore;

import org.jspecify.annotations.Nullable;

/**
 * The store within {@link LiveKeyspace#transact}: the committed data, together with the transaction's own writes. Use
 * its groups like the store's.
 *
 * <pre>{@code
 * store.transactWithoutResult(tx -> {
 *     String order = tx.group("carts").take("anna").orElseThrow();
 *     tx.group("orders").add(order);
 * });
 * }</pre>
 *
 * <p>A transaction, and everything obtained from it, may be used only by the thread that runs the work, and only until
 * the work returns. After that, and in other threads, every call throws {@link IllegalStateException}.
 *
 * @since 0.1
 * @see LiveKeyspace#transact
 * @see WriteBatch
 */
public interface Transaction extends Keyspace {

    /**
     * Returns the part of the transaction that belongs to a namespace, as {@link Store#scope(String)} does.
     *
     * @param namespace the namespace
     * @return its groups, within this transaction
     * @throws IllegalArgumentException if the namespace is not valid
     * @throws IllegalStateException if this is a transaction of a {@link Scope}, which cannot leave its namespace
     */
    Keyspace scope(String namespace);

    /**
     * Work in a transaction that throws a checked exception.
     *
     * @param <R> the type of the answer, which may be null
     * @param <X> the checked exception that the work throws
     */
    @FunctionalInterface
    interface Work<R extends @Nullable Object, X extends Exception> {

        /**
         * Does the work.
         *
         * @param tx the transaction
         * @return the answer
         * @throws X to roll back
         */
        R run(Transaction tx) throws X;
    }

    /**
     * Work in a transaction that throws a checked exception and has no answer.
     *
     * @param <X> the checked exception that the work throws
     */
    @FunctionalInterface
    interface Action<X extends Exception> {

        /**
         * Does the work.
         *
         * @param tx the transaction
         * @throws X to roll back
         */
        void run(Transaction tx) throws X;
    }
}
