package dev.ttlstore.jcache;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;

import javax.cache.Cache;
import javax.cache.configuration.CacheEntryListenerConfiguration;
import javax.cache.event.CacheEntryListenerException;
import javax.cache.event.EventType;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.ttlstore.engine.support.Thrown;

/**
 * The listeners of a cache. The changes come from the calls of this instance, and the expiries from the store.
 *
 * @param <K> the type of the keys
 * @param <V> the type of the values
 */
final class Listeners<K, V> {

    private static final Logger log = LoggerFactory.getLogger(Listeners.class);

    private final Cache<K, V> source;
    private final Executor executor;
    private final ExpiryFeed<K, V> feed;
    private final List<ListenerRegistration<K, V>> registrations = new CopyOnWriteArrayList<>();

    Listeners(Cache<K, V> source, Executor executor, ExpiryFeed<K, V> feed) {
        this.source = source;
        this.executor = executor;
        this.feed = feed;
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
        if (registration.wants(EventType.EXPIRED)) {
            try {
                feed.start(this::publishExpired);
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
            feed.stop();
        }
    }

    /** Calls all listeners, and then throws what the first one threw. */
    void publish(EntryChange<K, V> change) {
        CacheEntryListenerException failure = null;
        for (ListenerRegistration<K, V> registration : registrations) {
            try {
                registration.publish(source, change);
            } catch (CacheEntryListenerException e) {
                failure = first(failure, e);
            }
        }
        if (failure != null) {
            throw failure;
        }
    }

    private static CacheEntryListenerException first(
            @Nullable CacheEntryListenerException earlier, CacheEntryListenerException later) {
        if (earlier == null) {
            return later;
        }
        earlier.addSuppressed(later);
        return earlier;
    }

    /** Calls the listeners in a thread of the store, to which a failure is of no use. */
    private void publishExpired(EntryChange<K, V> change) {
        try {
            publish(change);
        } catch (CacheEntryListenerException e) {
            log.warn(
                    "A listener for expired entries of the cache '{}' threw an exception",
                    source.getName(),
                    Thrown.withoutMessages(e));
        }
    }

    /** Stops the calls, and closes the listeners that can be closed. */
    synchronized void close() {
        feed.stop();
        List<ListenerRegistration<K, V>> closed = List.copyOf(registrations);
        registrations.clear();
        closed.forEach(Listeners::close);
    }

    private static void close(ListenerRegistration<?, ?> registration) {
        Failures.closeQuietly(registration.listener());
        Failures.closeQuietly(registration.filter());
    }
}
