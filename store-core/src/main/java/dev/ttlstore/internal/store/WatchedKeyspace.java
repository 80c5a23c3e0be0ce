package dev.ttlstore.internal.store;

import java.util.List;

import dev.ttlstore.Codec;
import dev.ttlstore.LiveKeyspace;
import dev.ttlstore.TypeRef;
import dev.ttlstore.event.Subscription;
import dev.ttlstore.event.Watch;
import dev.ttlstore.event.WatchOptions;
import dev.ttlstore.expiry.DeadLetters;
import dev.ttlstore.expiry.ExpiryHandler;
import dev.ttlstore.expiry.ExpirySubscriber;
import dev.ttlstore.internal.access.RowAccess;
import dev.ttlstore.internal.store.DefaultStore.Outside;

/** The common part of stores and scopes, beyond transactions: watches, and handlers for expired entries. */
abstract sealed class WatchedKeyspace extends AbstractKeyspace implements LiveKeyspace
        permits DefaultScope, DefaultStore, Outside {

    private final LocalEvents events;
    private final DurableExpiry expiry;

    /**
     * Creates a keyspace.
     *
     * @param access reaches the rows
     * @param prefix the prefix of its groups' full names; empty for the store itself
     * @param expiry registers handlers for its expired entries
     */
    WatchedKeyspace(RowAccess access, String prefix, DurableExpiry expiry) {
        super(access, prefix);
        this.events = new LocalEvents(prefix);
        this.expiry = expiry;
    }

    @Override
    public Watch watch(WatchOptions options) {
        return events.watch(rows(), options);
    }

    DurableExpiry expiry() {
        return expiry;
    }

    LocalEvents events() {
        return events;
    }

    @Override
    public <V> Subscription onExpired(String subscriber, String group, TypeRef<V> type, ExpiryHandler<V> handler) {
        return expiry.subscribe(expiry.toGroup(subscriber, group), expiry.values(type), handler);
    }

    @Override
    public <V> Subscription onExpired(String subscriber, String group, Codec<V> codec, ExpiryHandler<V> handler) {
        return expiry.subscribe(expiry.toGroup(subscriber, group), expiry.values(codec), handler);
    }

    @Override
    public <V> Subscription onExpiredPrefix(
            String subscriber, String prefix, TypeRef<V> type, ExpiryHandler<V> handler) {
        return expiry.subscribe(expiry.toPrefix(subscriber, prefix), expiry.values(type), handler);
    }

    @Override
    public <V> Subscription onExpiredPrefix(
            String subscriber, String prefix, Codec<V> codec, ExpiryHandler<V> handler) {
        return expiry.subscribe(expiry.toPrefix(subscriber, prefix), expiry.values(codec), handler);
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
}
