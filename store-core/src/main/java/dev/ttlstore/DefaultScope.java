package dev.ttlstore;

import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

import dev.ttlstore.commit.Namespaces;
import dev.ttlstore.event.StoreEvent;
import dev.ttlstore.event.StoreListener;
import dev.ttlstore.event.Subscription;
import dev.ttlstore.expiry.DeadLetters;
import dev.ttlstore.expiry.ExpiryHandler;
import dev.ttlstore.expiry.ExpirySubscriber;

/** The part of a store that belongs to a namespace. */
final class DefaultScope extends AbstractKeyspace implements Scope {

    private final String namespace;
    private final DefaultStore store;
    private final ExpiryEvents expiry;

    DefaultScope(String namespace, DefaultStore store, Access access) {
        super(access, Namespaces.prefix(namespace));
        this.namespace = namespace;
        this.store = store;
        this.expiry = store.expiryWithin(Namespaces.prefix(namespace));
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
        Predicate<StoreEvent> ours = events.all();
        UnaryOperator<StoreEvent> localizer = events.localizer();
        return store.onChange(event -> {
            if (ours.test(event)) {
                listener.onEvent(localizer.apply(event));
            }
        });
    }

    @Override
    public <V> Subscription onExpired(String subscriber, String group, Class<V> type, ExpiryHandler<V> handler) {
        return expiry.onExpired(subscriber, group, type, handler);
    }

    @Override
    public <V> Subscription onExpired(String subscriber, String group, Codec<V> codec, ExpiryHandler<V> handler) {
        return expiry.onExpired(subscriber, group, codec, handler);
    }

    @Override
    public <V> Subscription onExpiredPrefix(String subscriber, String prefix, Class<V> type, ExpiryHandler<V> handler) {
        return expiry.onExpiredPrefix(subscriber, prefix, type, handler);
    }

    @Override
    public <V> Subscription onExpiredPrefix(
            String subscriber, String prefix, Codec<V> codec, ExpiryHandler<V> handler) {
        return expiry.onExpiredPrefix(subscriber, prefix, codec, handler);
    }

    @Override
    public DeadLetters deadLetters(String subscriber) {
        return expiry.deadLetters(subscriber);
    }

    @Override
    public List<ExpirySubscriber> expirySubscribers() {
        return expiry.expirySubscribers();
    }

    @Override
    public boolean removeExpirySubscriber(String subscriber) {
        return expiry.removeExpirySubscriber(subscriber);
    }

    @Override
    public long purgeExpired() {
        return store.purge(Namespaces.groups(namespace));
    }
}
