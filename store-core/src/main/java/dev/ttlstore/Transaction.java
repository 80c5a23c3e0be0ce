package dev.ttlstore;

/**
 * The store within {@link Store#transact}: the committed data, together with the transaction's own writes. Use its
 * groups like the store's.
 *
 * <p>A transaction, and everything obtained from it, may be used only by the thread that runs the work, and only until
 * the work returns. After that, and in other threads, every call throws {@link IllegalStateException}.
 */
public interface Transaction extends Keyspace {}
