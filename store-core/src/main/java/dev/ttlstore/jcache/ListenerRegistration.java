package dev.ttlstore.jcache;

import java.io.Serial;
import java.util.List;
import java.util.concurrent.Executor;

import javax.cache.Cache;
import javax.cache.configuration.CacheEntryListenerConfiguration;
import javax.cache.configuration.Factory;
import javax.cache.event.CacheEntryCreatedListener;
import javax.cache.event.CacheEntryEvent;
import javax.cache.event.CacheEntryEventFilter;
import javax.cache.event.CacheEntryExpiredListener;
import javax.cache.event.CacheEntryListener;
import javax.cache.event.CacheEntryListenerException;
import javax.cache.event.CacheEntryRemovedListener;
import javax.cache.event.CacheEntryUpdatedListener;
import javax.cache.event.EventType;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.ttlstore.engine.support.NotAttemptedException;
import dev.ttlstore.engine.support.SafeLog;

/**
 * A registered listener with its filter.
 *
 * @param <K> the type of the keys
 * @param <V> the type of the values
 */
final class ListenerRegistration<K, V> {

    private static final Logger log = LoggerFactory.getLogger(ListenerRegistration.class);

    private final CacheEntryListenerConfiguration<K, V> configuration;
    private final CacheEntryListener<? super K, ? super V> listener;
    private final @Nullable CacheEntryEventFilter<K, V> filter;
    private final @Nullable SerialQueue queue;

    @SuppressWarnings("unchecked") // a filter of wider types takes ours
    ListenerRegistration(CacheEntryListenerConfiguration<K, V> configuration, Executor executor) {
        this.configuration = configuration;
        this.listener = configuration.getCacheEntryListenerFactory().create();
        Factory<CacheEntryEventFilter<? super K, ? super V>> filters = configuration.getCacheEntryEventFilterFactory();
        this.filter = filters == null
                ? null
                : (CacheEntryEventFilter<K, V>)
                        Failures.orCleanUp(filters::create, () -> Failures.closeQuietly(listener));
        this.queue = configuration.isSynchronous() ? null : new SerialQueue(executor);
    }

    boolean isOf(CacheEntryListenerConfiguration<K, V> other) {
        return configuration.equals(other);
    }

    boolean wants(EventType type) {
        return switch (type) {
            case CREATED -> listener instanceof CacheEntryCreatedListener;
            case UPDATED -> listener instanceof CacheEntryUpdatedListener;
            case REMOVED -> listener instanceof CacheEntryRemovedListener;
            case EXPIRED -> listener instanceof CacheEntryExpiredListener;
        };
    }

    /** Closes the listener and its filter, if they can be closed. */
    void close() {
        Failures.closeQuietly(listener);
        Failures.closeQuietly(filter);
    }

    /** Calls the listener now, or soon in another thread. */
    void publish(Cache<K, V> source, EntryChange<K, V> change) {
        if (!wants(change.type())) {
            return;
        }
        ChangeEvent<K, V> event = new ChangeEvent<>(source, change);
        if (queue == null) {
            call(event);
        } else {
            queue.add(
                    () -> {
                        boolean unused = callQuietly(event);
                    },
                    change.bytes());
        }
    }

    /** Calls the listener with an expired entry, and returns after that. Returns false if an error has ended the call. */
    boolean deliver(Cache<K, V> source, EntryChange<K, V> change) throws NotAttemptedException, InterruptedException {
        ChangeEvent<K, V> event = new ChangeEvent<>(source, change);
        return queue == null ? callQuietly(event) : queue.run(() -> callQuietly(event), change.bytes());
    }

    /** Logs what the listener throws, which is of no use to the thread that calls. Returns false after an error. */
    private boolean callQuietly(ChangeEvent<K, V> event) {
        try {
            call(event);
            return true;
        } catch (RuntimeException | Error e) {
            SafeLog.ofApplication(
                            log, "A listener of the cache '" + event.getSource().getName() + "' threw an exception")
                    .warn(e);
            return e instanceof RuntimeException;
        }
    }

    private void call(ChangeEvent<K, V> event) {
        try {
            if (filter == null || filter.evaluate(event)) {
                dispatch(event);
            }
        } catch (CacheEntryListenerException e) {
            throw e;
        } catch (RuntimeException e) {
            throw new CacheEntryListenerException(
                    "A listener of the cache threw an exception; the cache was changed nevertheless", e);
        }
    }

    @SuppressWarnings("unchecked") // its types are those of the cache, or wider ones
    private void dispatch(ChangeEvent<K, V> event) {
        List<CacheEntryEvent<? extends K, ? extends V>> events = List.of(event);
        switch (event.getEventType()) {
            case CREATED -> ((CacheEntryCreatedListener<K, V>) listener).onCreated(events);
            case UPDATED -> ((CacheEntryUpdatedListener<K, V>) listener).onUpdated(events);
            case REMOVED -> ((CacheEntryRemovedListener<K, V>) listener).onRemoved(events);
            case EXPIRED -> ((CacheEntryExpiredListener<K, V>) listener).onExpired(events);
        }
    }

    /**
     * A change, as a listener receives it.
     *
     * @param <K> the type of the key
     * @param <V> the type of the value
     */
    private static final class ChangeEvent<K, V> extends CacheEntryEvent<K, V> {

        @Serial
        private static final long serialVersionUID = 1L;

        private final transient EntryChange<K, V> change;

        private ChangeEvent(Cache<K, V> source, EntryChange<K, V> change) {
            super(source, change.type());
            this.change = change;
        }

        @Override
        public K getKey() {
            return change.key();
        }

        @Override
        public V getValue() {
            return change.value();
        }

        @Override
        public @Nullable V getOldValue() {
            return change.oldValue();
        }

        @Override
        public boolean isOldValueAvailable() {
            return change.oldValue() != null;
        }

        @Override
        public <T> T unwrap(Class<T> type) {
            return ArgumentChecks.unwrap(this, type);
        }

        /** Returns a text without the key and the values, which may be secrets. */
        @Override
        public String toString() {
            return "ChangeEvent[type=" + change.type() + "]";
        }
    }
}
