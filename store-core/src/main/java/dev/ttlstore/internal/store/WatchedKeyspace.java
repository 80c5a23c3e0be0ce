package dev.ttlstore.internal.store;

import java.util.List;
import java.util.Objects;

import dev.ttlstore.Codec;
import dev.ttlstore.ExpiryEvents;
import dev.ttlstore.event.Subscription;
import dev.ttlstore.event.Watch;
import dev.ttlstore.event.WatchOptions;
import dev.ttlstore.expiry.DeadLetters;
import dev.ttlstore.expiry.ExpiryHandler;
import dev.ttlstore.expiry.ExpirySubscriber;
import dev.ttlstore.internal.access.RowAccess;

/** The common part of stores and scopes, beyond transactions: watches, and handlers for expired entries. */
abstract sealed class WatchedKeyspace extends AbstractKeyspace implements ExpiryEvents
        permits DefaultScope, DefaultStore {

    private final RowAccess access;
    private final String prefix;
    private final ExpiryEvents expiry;

    /**
     * Creates a keyspace.
     *
     * @param access reaches the rows
     * @param prefix the prefix of its groups' full names; empty for the store itself
     * @param expiry registers handlers for its expired entries
     */
    WatchedKeyspace(RowAccess access, String prefix, ExpiryEvents expiry) {
        super(access, prefix);
        this.access = access;
        this.prefix = prefix;
        this.expiry = expiry;
    }

    public Watch watch() {
        return watch(WatchOptions.defaults());
    }

    public Watch watch(String group) {
        return group(group).watch();
    }

    public Watch watch(String group, String key) {
        return group(group).watch(key);
    }

    public Watch watch(String group, WatchOptions options) {
        return group(group).watch(options);
    }

    public Watch watch(String group, String key, WatchOptions options) {
        return group(group).watch(key, options);
    }

    public Watch watch(WatchOptions options) {
        access.requireUsable();
        Objects.requireNonNull(options, "'options' must not be null");
        LocalEvents events = new LocalEvents(prefix);
        return access.watch(options, events.all(), events.localizer());
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
}
