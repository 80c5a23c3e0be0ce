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
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.ttlstore.LiveKeyspace;
import dev.ttlstore.engine.support.Thrown;
import dev.ttlstore.event.Subscription;
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

    private static final Logger log = LoggerFactory.getLogger(Listeners.class);

    private final Cache<K, V> source;
    private final Executor executor;
    private final Rows<K, V> rows;
    private final List<ListenerRegistration<K, V>> registrations = new CopyOnWriteArrayList<>();
    private @Nullable Subscription expiries;

    Listeners(Cache<K, V> source, Executor executor, Rows<K, V> rows) {
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
            try {
                expiries = translate(this::subscribe);
            } catch (RuntimeException | Error e) {
                registrations.remove(registration);
                throw e;
            }
        }
    }

    /** Removes and closes a listener. */
    synchronized void remove(CacheEntryListenerConfiguration<K, V> configuration) {
        for (ListenerRegistration<K, V> registration : List.copyOf(registrations)) {
            if (registration.isOf(configuration)) {
                registrations.remove(registration);
                close(registration);
            }
        }
        if (registrations.stream().noneMatch(rest -> rest.wants(EventType.EXPIRED))) {
            stopExpiries();
        }
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

    /** Calls the listeners in a thread of the store, to which a failure is of no use. */
    private void publishExpired(ExpiredEntry<StoredValue<V>> entry) {
        StoredValue<V> stored = entry.value();
        K key = rows.keys().keyOf(entry.key(), stored.key());
        try {
            publish(EntryChange.gone(EventType.EXPIRED, key, stored.value(), stored.bytes()));
        } catch (CacheEntryListenerException e) {
            log.warn(
                    "A listener for expired entries of the cache '{}' threw an exception",
                    source.getName(),
                    Thrown.withoutMessages(e));
        }
    }

    /** Stops the calls, and closes the listeners that can be closed. */
    synchronized void close() {
        stopExpiries();
        List<ListenerRegistration<K, V>> closed = List.copyOf(registrations);
        registrations.clear();
        closed.forEach(Listeners::close);
    }

    private static void close(ListenerRegistration<?, ?> registration) {
        Failures.closeQuietly(registration.listener());
        Failures.closeQuietly(registration.filter());
    }
}
