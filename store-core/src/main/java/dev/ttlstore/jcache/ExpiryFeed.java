package dev.ttlstore.jcache;

import java.util.function.Consumer;

import javax.cache.CacheException;
import javax.cache.event.EventType;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.Codec;
import dev.ttlstore.LiveKeyspace;
import dev.ttlstore.event.Subscription;
import dev.ttlstore.expiry.ExpiredEntry;

import static dev.ttlstore.jcache.Failures.translate;

/**
 * The expired entries of a cache, with their values, from a durable subscription of the store: on time, at least once, also after
 * a crash, and in one of several instances. It begins with the first listener that wants them, and ends when the cache is
 * destroyed.
 *
 * @param <K> the type of the keys
 * @param <V> the type of the values
 */
final class ExpiryFeed<K, V> {

    private final LiveKeyspace store;
    private final String group;
    private final Codec<StoredValue<V>> codec;
    private final KeyTexts<K> keys;
    private @Nullable Subscription subscription;

    ExpiryFeed(LiveKeyspace store, String group, Codec<StoredValue<V>> codec, KeyTexts<K> keys) {
        this.store = store;
        this.group = group;
        this.codec = codec;
        this.keys = keys;
    }

    /** Starts to pass on expiries, unless it has started already. */
    synchronized void start(Consumer<EntryChange<K, V>> receiver) {
        if (subscription == null) {
            subscription = translate(() -> subscribe(receiver));
        }
    }

    private Subscription subscribe(Consumer<EntryChange<K, V>> receiver) {
        try {
            return store.onExpired(subscriber(group), group, codec, entry -> receiver.accept(change(entry)));
        } catch (IllegalStateException e) {
            throw new CacheException(
                    "Another manager of this process listens to the expiries of the same cache; use one manager for a store",
                    e);
        }
    }

    private EntryChange<K, V> change(ExpiredEntry<StoredValue<V>> entry) {
        StoredValue<V> stored = entry.value();
        return EntryChange.gone(
                EventType.EXPIRED, keys.keyOf(entry.key(), stored.key()), stored.value(), stored.bytes());
    }

    /** Stops the calls. The store keeps later expiries for the next start. */
    synchronized void stop() {
        if (subscription != null) {
            subscription.close();
            subscription = null;
        }
    }

    /** Forgets the expiries of a cache that is destroyed. */
    static void forget(LiveKeyspace store, String group) {
        boolean unused = translate(() -> store.removeExpirySubscriber(subscriber(group)));
    }

    /** The name of a subscriber must not contain a colon. */
    private static String subscriber(String group) {
        return group.replace("%", "%25").replace(":", "%3A");
    }
}
