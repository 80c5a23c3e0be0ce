package dev.ttlstore.jcache;

import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

import javax.cache.Cache;
import javax.cache.processor.EntryProcessor;
import javax.cache.processor.EntryProcessorException;
import javax.cache.processor.EntryProcessorResult;
import javax.cache.processor.MutableEntry;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.jcache.CacheRows.CachedRow;

import static dev.ttlstore.jcache.Failures.translate;

/**
 * The operations on one entry and on one after the other, with their statistics.
 *
 * @param <K> the type of the keys
 * @param <V> the type of the values
 */
record EntryOperations<K, V>(
        CacheRows<K, V> rows,
        AtomicChanges<K, V> changes,
        Loading<K, V> loading,
        CacheStatistics statistics,
        UnaryOperator<V> checkValue) {

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
        return valueBefore(key, row -> EntryAction.write(value, valueOf(row)));
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
        return valueBefore(key, row -> EntryAction.remove(valueOf(row)));
    }

    @Nullable
    V getAndReplace(K key, V value) {
        return valueBefore(
                key,
                row -> row == null ? EntryAction.nothing(Optional.empty()) : EntryAction.write(value, valueOf(row)));
    }

    private @Nullable V valueBefore(K key, EntryAction.Decision<K, V, Optional<V>> decision) {
        return apply(key, Optional::isPresent, decision).answer().orElse(null);
    }

    private static <K, V> Optional<V> valueOf(@Nullable CachedRow<K, V> row) {
        return Optional.ofNullable(row).map(CachedRow::value);
    }

    <T> @Nullable T invoke(K key, EntryProcessor<K, V, T> processor, Object... arguments) {
        return this.<Processed<T>>apply(key, Processed::hit, row -> {
                    ProcessorEntry entry = new ProcessorEntry(key, row);
                    T result = process(processor, entry, arguments);
                    return entry.action(new Processed<>(row != null, result));
                })
                .answer()
                .result();
    }

    private <T> @Nullable T process(EntryProcessor<K, V, T> processor, ProcessorEntry entry, Object... arguments) {
        try {
            return processor.process(entry, arguments);
        } catch (EntryProcessorException e) {
            throw e;
        } catch (RuntimeException e) {
            throw new EntryProcessorException("The entry processor threw an exception, so nothing was changed", e);
        }
    }

    <T> Map<K, EntryProcessorResult<T>> invokeAll(
            Set<? extends K> keys, EntryProcessor<K, V, T> processor, Object... arguments) {
        Map<K, EntryProcessorResult<T>> results = new HashMap<>();
        for (K key : keys) {
            try {
                T result = invoke(key, processor, arguments);
                if (result != null) {
                    results.put(key, () -> result);
                }
            } catch (EntryProcessorException e) {
                results.put(key, () -> {
                    throw e;
                });
            }
        }
        return results;
    }

    /**
     * What a processor did.
     *
     * @param hit whether there was an entry
     * @param result what the processor returned
     */
    private record Processed<T>(boolean hit, @Nullable T result) {}

    /** An entry in the hands of an entry processor, which decides what happens to it. For one thread. */
    private final class ProcessorEntry implements MutableEntry<K, V> {

        private enum State {
            UNTOUCHED,
            READ,
            LOADED,
            SET,
            REMOVED
        }

        private final K key;
        private final boolean stored;
        private @Nullable V value;
        private State state = State.UNTOUCHED;

        private ProcessorEntry(K key, @Nullable CachedRow<K, V> row) {
            this.key = key;
            this.stored = row != null;
            this.value = row == null ? null : row.value();
        }

        @Override
        public K getKey() {
            return key;
        }

        @Override
        public boolean exists() {
            return value != null;
        }

        @Override
        public @Nullable V getValue() {
            if (state == State.UNTOUCHED && value != null) {
                state = State.READ;
            } else if (state == State.UNTOUCHED && loading.isReadThrough()) {
                value = loading.load(key);
                state = value == null ? State.UNTOUCHED : State.LOADED;
            }
            return value;
        }

        @Override
        public void setValue(V newValue) {
            value = checkValue.apply(newValue);
            state = State.SET;
        }

        @Override
        public void remove() {
            boolean undone = !stored && (state == State.SET || state == State.LOADED);
            value = null;
            state = undone ? State.UNTOUCHED : State.REMOVED;
        }

        @Override
        public <T> T unwrap(Class<T> type) {
            return ArgumentChecks.unwrap(this, type);
        }

        /** Returns what to do to the entry. */
        private <R> EntryAction<V, R> action(R answer) {
            V present = value;
            if (state == State.REMOVED) {
                return EntryAction.remove(answer);
            } else if (state == State.READ) {
                return EntryAction.access(answer);
            } else if (state == State.SET && present != null) {
                return EntryAction.write(present, answer);
            } else if (state == State.LOADED && present != null) {
                return EntryAction.store(present, answer);
            }
            return EntryAction.nothing(answer);
        }
    }

    /** Returns an iterator over all entries. Each entry that it returns counts as read. */
    Iterator<Cache.Entry<K, V>> iterator(Runnable requireOpen) {
        return new Entries(rows.all().iterator(), requireOpen);
    }

    private final class Entries implements Iterator<Cache.Entry<K, V>> {

        private final Iterator<CachedRow<K, V>> found;
        private final Runnable requireOpen;
        private @Nullable K last;

        private Entries(Iterator<CachedRow<K, V>> found, Runnable requireOpen) {
            this.found = found;
            this.requireOpen = requireOpen;
        }

        @Override
        public boolean hasNext() {
            requireOpen.run();
            return translate(found::hasNext);
        }

        @Override
        public Cache.Entry<K, V> next() {
            requireOpen.run();
            CachedRow<K, V> row = translate(found::next);
            long start = System.nanoTime();
            changes.touch(row.text());
            statistics.got(true, start);
            last = row.key();
            return new CachedEntry<>(row.key(), row.value());
        }

        @Override
        public void remove() {
            requireOpen.run();
            K key = last;
            if (key == null) {
                throw new IllegalStateException("Call next() before remove(), each time");
            }
            last = null;
            boolean unused = EntryOperations.this.remove(key);
        }
    }
}
