package dev.ttlstore.spring.metadata;

import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.integration.metadata.ListenableMetadataStore;
import org.springframework.integration.metadata.MetadataStoreListener;
import org.springframework.util.Assert;

import dev.ttlstore.Expiry;
import dev.ttlstore.Group;
import dev.ttlstore.LiveKeyspace;
import dev.ttlstore.event.Subscription;
import dev.ttlstore.spring.keys.AnyText;

/**
 * Keeps Spring Integration's metadata in a store, such as the messages that a filter has seen and the position of a
 * poller. Entries may expire. Each method is atomic, also between instances that share the store. Thread-safe.
 *
 * <pre>{@code
 * StoreMetadataStore metadata = new StoreMetadataStore(store, Duration.ofDays(7));
 * boolean first = metadata.putIfAbsent("order-17", "received") == null;
 * }</pre>
 *
 * <p>On PostgreSQL, the metadata store takes part in the application's transaction. If the transaction is rolled back,
 * so is the note of an idempotent receiver, and the message can be received again.
 *
 * <p>Keys may have any length. All methods throw {@link IllegalArgumentException} for a null argument, and a
 * {@link dev.ttlstore.exception.StoreException} if the store fails.
 *
 * @since 0.1
 * @see StoreMetadataStoreProperties
 */
public final class StoreMetadataStore implements ListenableMetadataStore, DisposableBean {

    /** The group that holds the metadata, by key. */
    public static final String GROUP = "metadata-store";

    private final LiveKeyspace store;
    private final Group<String> group;
    private final Expiry expiry;
    private final ConcurrentMap<MetadataStoreListener, Registration> listeners = new ConcurrentHashMap<>();

    private record Registration(MetadataChanges changes, Subscription subscription) {}

    /**
     * Creates the store of metadata.
     *
     * @param store the store or scope that holds the metadata
     * @param ttl how long an entry lives after it was last written; zero for ever
     * @throws IllegalArgumentException if the ttl is negative, or above 146 million years
     */
    public StoreMetadataStore(LiveKeyspace store, Duration ttl) {
        this.store = Objects.requireNonNull(store, "'store' must not be null");
        this.group = store.group(GROUP, new AnyText());
        Objects.requireNonNull(ttl, "'ttl' must not be null");
        if (ttl.isNegative()) {
            throw new IllegalArgumentException("'ttl' must not be negative, but is " + ttl + "; zero is for ever");
        }
        this.expiry = ttl.isZero() ? Expiry.never() : Expiry.after(ttl);
    }

    @Override
    public void put(String key, String value) {
        MetadataEntry entry = MetadataEntry.of(key, value);
        long unused = group.put(entry.key(), entry.text(), expiry);
    }

    @Override
    public @Nullable String get(String key) {
        String stored = MetadataEntry.key(key);
        return group.get(stored)
                .map(text -> MetadataEntry.stored(stored, text).value())
                .orElse(null);
    }

    @Override
    public @Nullable String remove(String key) {
        String stored = MetadataEntry.key(key);
        if (!listeners.isEmpty()) {
            group.entry(stored).ifPresent(entry -> listeners.values().forEach(listener -> listener.changes()
                    .remember(stored, entry.version(), entry.value())));
        }
        return group.take(stored)
                .map(text -> MetadataEntry.stored(stored, text).value())
                .orElse(null);
    }

    @Override
    public @Nullable String putIfAbsent(String key, String value) {
        MetadataEntry entry = MetadataEntry.of(key, value);
        return group.getAndPutIfAbsent(entry.key(), entry.text(), expiry)
                .map(text -> MetadataEntry.stored(entry.key(), text).value())
                .orElse(null);
    }

    @Override
    public boolean replace(String key, String oldValue, String newValue) {
        MetadataEntry entry = MetadataEntry.of(key, newValue);
        return group.replace(entry.key(), MetadataEntry.of(key, oldValue).text(), entry.text(), expiry)
                .isPresent();
    }

    /**
     * Registers a listener for later changes, of this instance and of others. The listener gets changes in the order of their commits. It
     * is called before a write of this instance returns, so it must be quick. An expiry counts as a removal. The old value of a removal
     * is empty if this instance does not know it. The listener gets no event when the whole group is deleted.
     *
     * @param callback the listener; registering it again does nothing
     */
    @Override
    public void addListener(MetadataStoreListener callback) {
        Assert.notNull(callback, "'callback' must not be null");
        Registration unused = listeners.computeIfAbsent(callback, listener -> {
            MetadataChanges changes = new MetadataChanges(group, listener);
            return new Registration(changes, store.onChange(changes));
        });
    }

    @Override
    public void removeListener(@Nullable MetadataStoreListener callback) {
        Registration registration = callback == null ? null : listeners.remove(callback);
        if (registration != null) {
            registration.subscription().close();
        }
    }

    /** Removes all listeners. */
    @Override
    public void destroy() {
        listeners.keySet().forEach(this::removeListener);
    }
}
