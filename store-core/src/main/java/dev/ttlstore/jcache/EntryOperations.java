package dev.ttlstore.jcache;

import java.util.Optional;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.jcache.Rows.CachedRow;

/**
 * The operations on one entry, with their statistics.
 *
 * @param <K> the type of the keys
 * @param <V> the type of the values
 */
final class EntryOperations<K, V> {

    private final Rows<K, V> rows;
    private final AtomicChanges<K, V> changes;
    private final Loading<K, V> loading;
    private final CacheStatistics statistics;

    EntryOperations(Rows<K, V> rows, AtomicChanges<K, V> changes, Loading<K, V> loading, CacheStatistics statistics) {
        this.rows = rows;
        this.changes = changes;
        this.loading = loading;
        this.statistics = statistics;
    }

    @Nullable
    V get(K key) {
        long start = System.nanoTime();
        String text = rows.text(key);
        V value = rows.value(text);
        boolean hit = value != null;
        if (hit) {
            changes.touch(text);
        } else if (loading.isReadThrough()) {
            value = load(key);
        }
        statistics.got(hit, start);
        return value;
    }

    /** Loads a missing entry, unless another caller has done so meanwhile. One caller at a time loads a key. */
    private @Nullable V load(K key) {
        AtomicChanges.Applied<K, V, Optional<V>> loaded = changes.apply(key, row -> {
            if (row != null) {
                return EntryAction.nothing(Optional.of(row.value()));
            }
            V value = loading.load(key);
            return value == null ? EntryAction.nothing(Optional.empty()) : EntryAction.store(value, Optional.of(value));
        });
        return loaded.answer().orElse(null);
    }

    void put(K key, V value) {
        long start = System.nanoTime();
        statistics.put(changed(changes.apply(key, row -> EntryAction.write(value, true))), start);
    }

    @Nullable
    V getAndPut(K key, V value) {
        long start = System.nanoTime();
        AtomicChanges.Applied<K, V, Optional<V>> put =
                changes.apply(key, row -> EntryAction.write(value, valueOf(row)));
        statistics.got(put.answer().isPresent(), start);
        statistics.put(changed(put), start);
        return put.answer().orElse(null);
    }

    boolean putIfAbsent(K key, V value) {
        long start = System.nanoTime();
        AtomicChanges.Applied<K, V, Boolean> put =
                changes.apply(key, row -> row == null ? EntryAction.write(value, true) : EntryAction.nothing(false));
        statistics.got(!put.answer(), start);
        statistics.put(changed(put), start);
        return put.changed();
    }

    boolean remove(K key) {
        long start = System.nanoTime();
        AtomicChanges.Applied<K, V, Boolean> removed = changes.apply(key, row -> EntryAction.remove(true));
        statistics.removed(changed(removed), start);
        return removed.changed();
    }

    boolean remove(K key, V expected) {
        long start = System.nanoTime();
        AtomicChanges.Applied<K, V, Boolean> removed = changes.apply(key, row -> {
            if (row == null) {
                return EntryAction.nothing(false);
            }
            return row.value().equals(expected) ? EntryAction.remove(true) : EntryAction.access(true);
        });
        statistics.got(removed.answer(), start);
        statistics.removed(changed(removed), start);
        return removed.changed();
    }

    @Nullable
    V getAndRemove(K key) {
        long start = System.nanoTime();
        AtomicChanges.Applied<K, V, Optional<V>> removed = changes.apply(key, row -> EntryAction.remove(valueOf(row)));
        statistics.got(removed.answer().isPresent(), start);
        statistics.removed(changed(removed), start);
        return removed.answer().orElse(null);
    }

    boolean replace(K key, V expected, V value) {
        long start = System.nanoTime();
        AtomicChanges.Applied<K, V, Boolean> replaced = changes.apply(key, row -> {
            if (row == null) {
                return EntryAction.nothing(false);
            }
            return row.value().equals(expected) ? EntryAction.write(value, true) : EntryAction.access(true);
        });
        statistics.got(replaced.answer(), start);
        statistics.put(changed(replaced), start);
        return replaced.changed();
    }

    @Nullable
    V getAndReplace(K key, V value) {
        long start = System.nanoTime();
        AtomicChanges.Applied<K, V, Optional<V>> replaced = changes.apply(
                key,
                row -> row == null ? EntryAction.nothing(Optional.empty()) : EntryAction.write(value, valueOf(row)));
        statistics.got(replaced.answer().isPresent(), start);
        statistics.put(changed(replaced), start);
        return replaced.answer().orElse(null);
    }

    /** Reads an entry of an iteration. */
    void visit(CachedRow<K, V> row) {
        long start = System.nanoTime();
        changes.touch(row.text());
        statistics.got(true, start);
    }

    private static <K, V> Optional<V> valueOf(@Nullable CachedRow<K, V> row) {
        return Optional.ofNullable(row).map(CachedRow::value);
    }

    private static long changed(AtomicChanges.Applied<?, ?, ?> applied) {
        return applied.changed() ? 1 : 0;
    }
}
