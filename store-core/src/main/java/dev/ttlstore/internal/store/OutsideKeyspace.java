package dev.ttlstore.internal.store;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.LiveKeyspace;
import dev.ttlstore.Transaction;
import dev.ttlstore.event.StoreListener;
import dev.ttlstore.event.Subscription;
import dev.ttlstore.internal.access.StoreAccess;

/** The entries of a store or scope for callers that take no part in the transaction of the application that their thread is in. */
final class OutsideKeyspace extends WatchedKeyspace {

    private final LiveKeyspace whole;
    private final DefaultStore store;

    /**
     * Creates the view.
     *
     * @param whole the store or scope, whose other methods no transaction affects
     * @param store the store
     * @param access reaches the rows directly
     * @param prefix the prefix of the groups' full names; empty for the store itself
     */
    OutsideKeyspace(LiveKeyspace whole, DefaultStore store, StoreAccess access, String prefix) {
        super(access, prefix, store.expiry().within(prefix));
        this.whole = whole;
        this.store = store;
    }

    @Override
    public <R extends @Nullable Object, X extends Exception> R transactChecked(Transaction.Work<R, X> work) throws X {
        return store.transactOutside(prefix(), work);
    }

    @Override
    public Subscription onChange(StoreListener listener) {
        return whole.onChange(listener);
    }

    @Override
    public long purgeExpired() {
        return whole.purgeExpired();
    }

    @Override
    public LiveKeyspace outsideTransaction() {
        return this;
    }

    /** Returns the text of the store or scope. */
    @Override
    public String toString() {
        return whole.toString();
    }
}
