package dev.ttlstore;

import java.util.Objects;
import java.util.function.Function;

import dev.ttlstore.commit.Namespaces;
import dev.ttlstore.event.StoreListener;
import dev.ttlstore.event.Subscription;

/** The part of a store that belongs to a namespace. */
final class DefaultScope extends AbstractKeyspace implements Scope {

    private final String namespace;
    private final DefaultStore store;

    DefaultScope(String namespace, DefaultStore store, Access access) {
        super(access, Namespaces.prefix(namespace));
        this.namespace = namespace;
        this.store = store;
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
    public <R> R transact(Function<Transaction, R> work) {
        return store.transact(Namespaces.prefix(namespace), work);
    }

    @Override
    public Subscription onChange(StoreListener listener) {
        Objects.requireNonNull(listener, "'listener' must not be null");
        LocalEvents events = new LocalEvents(Namespaces.prefix(namespace));
        return store.onChange(event -> {
            if (events.all().test(event)) {
                listener.onEvent(events.localizer().apply(event));
            }
        });
    }

    @Override
    public long purgeExpired() {
        return store.purge(Namespaces.groups(namespace));
    }
}
