package dev.ttlstore.jcache;

import java.util.Optional;
import java.util.function.Predicate;

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

    /** Does what a decision says, and counts what it changes and, if the operation also reads, whether there was an entry. */
    private <R> AtomicChanges.Applied<K, V, R> apply(
            K key, @Nullable Predicate<R> hit, EntryAction.Decision<K, V, R> decision) {
        long start = System.nanoTime();
        AtomicChanges.Applied<K, V, R> applied = changes.apply(key, decision);
        if (hit != null) {
            statistics.got(hit.test(applied.answer()), start);
        }
        statistics.changed(applied.change(), start);
        return applied;
    }

    void put(K key, V value) {
        AtomicChanges.Applied<K, V, Boolean> unused = apply(key, null, row -> EntryAction.write(value, true));
    }

    @Nullable
    V getAndPut(K key, V value) {
        return this.<Optional<V>>apply(key, Optional::isPresent, row -> EntryAction.write(value, valueOf(row)))
                .answer()
                .orElse(null);
    }

    boolean putIfAbsent(K key, V value) {
        return this.<Boolean>apply(
                        key,
                        put -> !put,
                        row -> row == null ? EntryAction.write(value, true) : EntryAction.nothing(false))
                .changed();
    }

    boolean remove(K key) {
        return apply(key, null, row -> EntryAction.remove(true)).changed();
    }

    boolean remove(K key, V expected) {
        return ifEqual(key, expected, EntryAction.remove(true));
    }

    boolean replace(K key, V expected, V value) {
        return ifEqual(key, expected, EntryAction.write(value, true));
    }

    private boolean ifEqual(K key, V expected, EntryAction<V, Boolean> action) {
        return this.<Boolean>apply(key, found -> found, row -> {
                    if (row == null) {
                        return EntryAction.nothing(false);
                    }
                    return row.value().equals(expected) ? action : EntryAction.access(true);
                })
                .changed();
    }

    @Nullable
    V getAndRemove(K key) {
        return this.<Optional<V>>apply(key, Optional::isPresent, row -> EntryAction.remove(valueOf(row)))
                .answer()
                .orElse(null);
    }

    @Nullable
    V getAndReplace(K key, V value) {
        return this.<Optional<V>>apply(
                        key,
                        Optional::isPresent,
                        row -> row == null
                                ? EntryAction.nothing(Optional.empty())
                                : EntryAction.write(value, valueOf(row)))
                .answer()
                .orElse(null);
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
}
