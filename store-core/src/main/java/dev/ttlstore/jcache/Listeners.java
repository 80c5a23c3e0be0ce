package dev.ttlstore.jcache;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;

import javax.cache.Cache;
import javax.cache.CacheException;
import javax.cache.configuration.CacheEntryListenerConfiguration;
import javax.cache.event.CacheEntryListenerException;
import javax.cache.event.EventType;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.LiveKeyspace;
import dev.ttlstore.engine.support.NotAttemptedException;
import dev.ttlstore.event.Subscription;
import dev.ttlstore.exception.StoreException;
import dev.ttlstore.expiry.ExpiredEntry;

import static dev.ttlstore.jcache.Failures.translate;

/**
 * The listeners of a cache. The changes come from the calls of this instance. The expired entries, with their values, come from a
 * durable subscription of the store: on time, at least once, also after a crash, and in one of several instances. It begins with the
 * first listener that wants them, and ends when the cache is destroyed.
 *
 * @param <K> the type of the keys
 * @param <V> the type of the values
 */
final class Listeners<K, V> {

    private final Cache<K, V> source;
    private final Executor executor;
    private final CacheRows<K, V> rows;
    private final List<ListenerRegistration<K, V>> registrations = new CopyOnWriteArrayList<>();
    private @Nullable Subscription expiries;

    Listeners(Cache<K, V> source, Executor executor, CacheRows<K, V> rows) {
        this.source = source;
        this.executor = executor;
        this.rows = rows;
    }

    boolean isEmpty() {
        return registrations.isEmpty();
    }

    /**
     * Adds a listener.
     *
     * @throws IllegalArgumentException if there is one of an equal configuration
     */
    synchronized void add(CacheEntryListenerConfiguration<K, V> configuration) {
        if (registrations.stream().anyMatch(present -> present.isOf(configuration))) {
            throw new IllegalArgumentException(
                    "'cacheEntryListenerConfiguration' must not be registered twice; there is one that equals it");
        }
        ListenerRegistration<K, V> registration = new ListenerRegistration<>(configuration, executor);
        registrations.add(registration);
        if (registration.wants(EventType.EXPIRED) && expiries == null) {
            expiries = Failures.orCleanUp(() -> translate(this::subscribe), () -> {
                registrations.remove(registration);
                registration.close();
            });
        }
    }

    /** Removes and closes a listener. */
    synchronized void remove(CacheEntryListenerConfiguration<K, V> configuration) {
        List<ListenerRegistration<K, V>> removed = registrations.stream()
                .filter(present -> present.isOf(configuration))
                .toList();
        if (registrations.stream().noneMatch(rest -> rest.wants(EventType.EXPIRED) && !removed.contains(rest))) {
            stopExpiries(); // first, so that none comes while there is no listener
        }
        registrations.removeAll(removed);
        removed.forEach(ListenerRegistration::close);
    }

    private Subscription subscribe() {
        try {
            return rows.store().onExpired(subscriber(rows.name()), rows.name(), rows.codec(), this::publishExpired);
        } catch (IllegalStateException e) {
            throw new CacheException(
                    "Another manager of this process listens to the expiries of the same cache; use one manager for a store",
                    e);
        }
    }

    /** Stops the calls. The store keeps later expiries for the next listener. */
    private void stopExpiries() {
        if (expiries != null) {
            expiries.close();
            expiries = null;
        }
    }

    /** Forgets the expiries of a cache that is destroyed. */
    static void forgetExpiries(LiveKeyspace store, String group) {
        boolean unused = translate(() -> store.removeExpirySubscriber(subscriber(group)));
    }

    /** The name of a subscriber must not contain a colon. */
    private static String subscriber(String group) {
        return group.replace("%", "%25").replace(":", "%3A");
    }

    /** Calls all listeners, and then throws what the first one threw. */
    void publish(EntryChange<K, V> change) {
        CacheEntryListenerException failure = null;
        for (ListenerRegistration<K, V> registration : registrations) {
            try {
                registration.publish(source, change);
            } catch (CacheEntryListenerException e) {
                if (failure == null) {
                    failure = e;
                } else {
                    failure.addSuppressed(e);
                }
            }
        }
        if (failure != null) {
            throw failure;
        }
    }

    /** Calls all listeners, in a thread of the store. Throws unless there is one and each has returned, so that the store tries again. */
    private void publishExpired(ExpiredEntry<StoredValue<V>> entry) throws NotAttemptedException, InterruptedException {
        StoredValue<V> stored = entry.value();
        K key = rows.keys().keyOf(entry.key(), stored.key());
        EntryChange<K, V> change =
                new EntryChange<>(EventType.EXPIRED, key, stored.value(), stored.value(), stored.bytes());
        NotAttemptedException busy = null;
        boolean called = false;
        boolean failed = false;
        for (ListenerRegistration<K, V> registration : registrations) {
            if (registration.wants(EventType.EXPIRED)) {
                try {
                    failed |= !registration.deliver(source, change);
                    called = true;
                } catch (NotAttemptedException e) {
                    busy = e; // the others must not wait for it
                }
            }
        }
        if (failed) {
            throw new StoreException("An error has ended the call of a listener of the cache");
        }
        if (busy != null) {
            throw busy;
        }
        if (!called) {
            throw new NotAttemptedException("The cache has no listener at the moment");
        }
    }

    /** Stops the calls, and closes the listeners that can be closed. */
    synchronized void close() {
        stopExpiries();
        List<ListenerRegistration<K, V>> closed = List.copyOf(registrations);
        registrations.clear();
        closed.forEach(ListenerRegistration::close);
    }
}
