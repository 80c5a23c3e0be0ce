package dev.ttlstore.jcache;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.Expiry;
import dev.ttlstore.jcache.CacheRows.CachedRow;

import static dev.ttlstore.jcache.Failures.translate;

/**
 * The operations on many entries, with their statistics. Without a writer and listeners, who see single changes, many entries
 * share a commit.
 *
 * @param rows the entries
 * @param changes changes entries one by one
 * @param loading the loader
 * @param statistics counts
 * @param <K> the type of the keys
 * @param <V> the type of the values
 */
record BulkOperations<K, V>(
        CacheRows<K, V> rows, AtomicChanges<K, V> changes, Loading<K, V> loading, CacheStatistics statistics) {

    /** How many entries share a commit, which other writers wait for. */
    private static final int CHUNK = 100;

    /** A commit ends with the entry at which its values reach this many bytes. */
    private static final long BYTES_PER_COMMIT = 1024 * 1024;

    Map<K, V> getAll(Set<? extends K> keys) {
        long start = System.nanoTime();
        Map<String, K> texts = texts(keys);
        Map<K, V> found = rows.readAll(texts);
        touch(texts, found.keySet());
        statistics.got(found.size(), keys.size() - found.size(), start);
        if (loading.isReadThrough() && found.size() < keys.size()) {
            Set<K> missing = new HashSet<>(keys);
            missing.removeAll(found.keySet());
            found.putAll(load(missing, false));
        }
        return found;
    }

    /** Lets entries that were read live as the policy says, with one commit for those that get the same life. */
    private void touch(Map<String, K> texts, Set<K> read) {
        Map<Expiry, List<String>> touched = new HashMap<>();
        texts.forEach((text, key) -> {
            Expiry expiry = read.contains(key) ? changes.expiries().ofAccess() : null;
            if (expiry != null) {
                touched.computeIfAbsent(expiry, any -> new ArrayList<>()).add(text);
            }
        });
        touched.forEach((expiry, some) -> rows.expireAll(some, expiry));
    }

    private Map<String, K> texts(Collection<? extends K> keys) {
        Map<String, K> texts = new LinkedHashMap<>();
        keys.forEach(key -> texts.put(rows.text(key), key));
        return texts;
    }

    /** Loads entries, and returns what was loaded. */
    Map<K, V> load(Set<K> keys, boolean replace) {
        Map<K, V> loaded = new HashMap<>();
        loading.loadAll(keys).forEach((key, value) -> {
            if (key != null && value != null) {
                loaded.put(key, value);
            }
        });
        loaded.forEach((key, value) -> changes.apply(
                key, row -> row == null || replace ? EntryAction.store(value, true) : EntryAction.nothing(false)));
        return loaded;
    }

    /** Returns the keys without an entry. */
    Set<K> missing(Set<? extends K> keys) {
        Set<K> missing = new HashSet<>(keys);
        missing.removeIf(key -> rows.contains(rows.text(key)));
        return missing;
    }

    void putAll(Map<? extends K, ? extends V> entries) {
        long start = System.nanoTime();
        Map<K, V> all = new LinkedHashMap<>(entries);
        if (changes.writing().isActive() || !changes.listeners().isEmpty()) {
            changes.locks().lockedAll(texts(all.keySet()).keySet(), () -> putEach(all, start));
        } else {
            List<K> keys = new ArrayList<>(all.keySet());
            int from = 0;
            while (from < keys.size()) {
                Together done = putTogether(keys.subList(from, Math.min(from + CHUNK, keys.size())), all);
                statistics.put(done.put(), start);
                from += done.keys();
            }
        }
    }

    private void putEach(Map<K, V> entries, long start) {
        WriteThrough.WriteResult<K> written = changes.writing().writeAll(entries);
        for (K key : written.done()) {
            V value = entries.get(key);
            if (value != null
                    && changes.apply(key, row -> EntryAction.store(value, true)).changed()) {
                statistics.put(1, start);
            }
        }
        written.rethrow();
    }

    /** What a commit has done: how many keys, and how many entries it has put for them. */
    private record Together(int keys, long put) {}

    private Together putTogether(List<K> keys, Map<K, V> entries) {
        return translate(() -> rows.store().<Together>transact(transaction -> {
            CacheRows<K, V> inside = rows.within(transaction);
            int done = 0;
            long put = 0;
            long bytes = 0;
            while (done < keys.size() && bytes < BYTES_PER_COMMIT) {
                K key = keys.get(done);
                String text = rows.text(key);
                CachedRow<K, V> row = inside.read(key, text);
                OptionalInt written = put(inside, row, key, text, entries.get(key));
                put += written.isPresent() ? 1 : 0;
                bytes += written.orElse(0) + (row == null ? 0 : row.bytes());
                done++;
            }
            return new Together(done, put);
        }));
    }

    private OptionalInt put(
            CacheRows<K, V> inside, @Nullable CachedRow<K, V> row, K key, String text, @Nullable V value) {
        if (value == null) {
            return OptionalInt.empty();
        } else if (row != null) {
            return inside.replace(row, value, changes.expiries().ofUpdate());
        }
        Expiry expiry = changes.expiries().ofCreation();
        if (expiry == null) {
            return OptionalInt.empty();
        }
        boolean unused = inside.delete(text); // one that cannot be read
        return inside.insert(key, text, value, expiry);
    }

    void removeAll(Set<? extends K> keys) {
        long start = System.nanoTime();
        Map<String, K> texts = texts(keys);
        if (changes.writing().isActive() || !changes.listeners().isEmpty()) {
            changes.locks().lockedAll(texts.keySet(), () -> removeEach(texts.values(), start));
        } else {
            statistics.removed(rows.deleteAll(texts.keySet()), start);
        }
    }

    private void removeEach(Collection<K> keys, long start) {
        WriteThrough.WriteResult<K> deleted = changes.writing().deleteAll(keys);
        for (K key : deleted.done()) {
            if (changes.apply(key, row -> EntryAction.discard(true)).changed()) {
                statistics.removed(1, start);
            }
        }
        deleted.rethrow();
    }

    void removeAll() {
        long start = System.nanoTime();
        if (changes.writing().isActive() || !changes.listeners().isEmpty()) {
            Set<K> keys = new HashSet<>();
            rows.all().forEach(row -> keys.add(row.key()));
            removeAll(keys);
        } else {
            statistics.removed(rows.clear(), start);
        }
    }
}
