package dev.ttlstore.internal.store;

import java.util.Objects;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.LiveKeyspace;
import dev.ttlstore.Quota;
import dev.ttlstore.Scope;
import dev.ttlstore.Transaction;
import dev.ttlstore.Usage;
import dev.ttlstore.engine.Namespaces;
import dev.ttlstore.event.StoreListener;
import dev.ttlstore.event.Subscription;
import dev.ttlstore.exception.Printable;
import dev.ttlstore.internal.access.RowAccess;

/** The part of a store that belongs to a namespace. */
final class DefaultScope extends WatchedKeyspace implements Scope {

    private final String namespace;
    private final DefaultStore store;

    DefaultScope(String namespace, DefaultStore store, RowAccess access) {
        super(access, Namespaces.prefix(namespace), store.expiry().within(Namespaces.prefix(namespace)));
        this.namespace = namespace;
        this.store = store;
    }

    static String requireName(String namespace) {
        Objects.requireNonNull(namespace, "'namespace' must not be null");
        if (namespace.length() > Namespaces.MAX_LENGTH) {
            throw new IllegalArgumentException("'namespace' must be " + Namespaces.MAX_LENGTH
                    + " characters at most, so that it has names of groups, but is " + namespace.length());
        }
        if (!Namespaces.isName(namespace)) {
            throw new IllegalArgumentException("'namespace' must be letters, digits and hyphens, at least one, but is '"
                    + Printable.of(namespace) + "'");
        }
        return namespace;
    }

    @Override
    public String namespace() {
        return namespace;
    }

    @Override
    public Quota quota() {
        return store.quota(namespace);
    }

    @Override
    public Usage usage() {
        return store.usage(namespace);
    }

    @Override
    public <R extends @Nullable Object, X extends Exception> R transactChecked(Transaction.Work<R, X> work) throws X {
        return store.transactChecked(prefix(), work);
    }

    @Override
    public LiveKeyspace outsideTransaction() {
        return store.outside(this, prefix());
    }

    @Override
    public Subscription onChange(StoreListener listener) {
        return store.onChange(listener, events());
    }

    @Override
    public void erase() {
        store.erase(Namespaces.groups(namespace));
    }

    @Override
    public long purgeExpired() {
        return store.purge(Namespaces.groups(namespace));
    }

    /** Returns a text with the namespace. */
    @Override
    public String toString() {
        return "Scope[namespace=" + namespace + "]";
    }
}
