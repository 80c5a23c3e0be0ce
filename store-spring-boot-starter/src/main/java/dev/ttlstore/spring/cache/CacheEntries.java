package dev.ttlstore.spring.cache;

import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.ttlstore.Entry;
import dev.ttlstore.Expiry;
import dev.ttlstore.Group;
import dev.ttlstore.engine.support.RetryLog;
import dev.ttlstore.exception.StoreException;

/** The entries of a cache, by their keys in the store. What cannot be read counts as absent. Thread-safe. */
final class CacheEntries {

    private static final Logger log = LoggerFactory.getLogger(CacheEntries.class);

    private static final String EXTENDED = "Reads of a cache extend its entries again";

    private final Group<Object> group;
    private final Expiry expiry;

    /** How reads extend entries; null if they do not. */
    private final @Nullable Idling idling;

    private final RetryLog extensions;

    CacheEntries(String name, Group<Object> group, StoreCacheSettings settings) {
        this.group = group;
        this.expiry = settings.expiry();
        this.idling = Idling.of(settings);
        this.extensions = new RetryLog(log, "Reads of the cache '" + name + "' do not extend its entries");
    }

    Group<Object> group() {
        return group;
    }

    /** Finds a value that can be read. */
    @Nullable
    Object find(String key) {
        Object found = idling == null ? group.get(key).orElse(null) : findAndExtend(key, idling);
        return found == CacheCodec.UNREADABLE ? null : found;
    }

    private @Nullable Object findAndExtend(String key, Idling idle) {
        Entry<Object> entry = group.entry(key).orElse(null);
        if (entry == null) {
            return null;
        }
        Expiry extension = entry.value() == CacheCodec.UNREADABLE ? null : idle.extension(entry);
        if (extension != null) {
            extend(key, extension);
        }
        return entry.value();
    }

    /** Extends an entry. If that fails, as on a full disk, what was read is good all the same. */
    private void extend(String key, Expiry extension) {
        try {
            boolean unused = group.expire(key, extension);
            extensions.succeeded(EXTENDED);
        } catch (StoreException e) {
            extensions.failed(e);
        }
    }

    void put(String key, Object value) {
        long unused = group.put(key, value, expiry);
    }

    /** Returns what was there, or null if the value was put. */
    @Nullable
    Object putIfAbsent(String key, Object value) {
        return readable(key, () -> group.getAndPutIfAbsent(key, value, expiry).orElse(null));
    }

    /**
     * Returns a value that was found or put, if it can be read; otherwise deletes it and tries again. What is put in the meantime may be
     * deleted, too, and is loaded again.
     */
    private @Nullable Object readable(String key, Supplier<@Nullable Object> foundOrPut) {
        Object found = foundOrPut.get();
        while (found == CacheCodec.UNREADABLE) {
            boolean unused = group.delete(key);
            found = foundOrPut.get();
        }
        return found;
    }

    boolean delete(String key) {
        return group.delete(key);
    }

    /** Removes all entries; returns how many. */
    long clear() {
        return group.clear();
    }

    /** Throws if the store is closed. Reads no entry, so it asks no server. */
    void requireOpen() {
        Map<String, Object> unused = group.getAll(List.of());
    }
}
