package dev.ttlstore;

/**
 * The store as it stands within {@link Store#transact}: what was committed before, with what the transaction has done. Its
 * groups are used as those of the store.
 *
 * <p>A transaction and all that comes from it may be used only by the thread that it was given to, and only until the
 * function that it was given to returns; afterwards, and elsewhere, every call throws {@link IllegalStateException}.
 */
public interface Transaction extends Keyspace {}
