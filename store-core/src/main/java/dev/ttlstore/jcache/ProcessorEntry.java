package dev.ttlstore.jcache;

import java.util.function.UnaryOperator;

import javax.cache.processor.MutableEntry;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.jcache.CacheRows.CachedRow;

/**
 * An entry in the hands of an entry processor, which decides what happens to it. For one thread.
 *
 * @param <K> the type of the key
 * @param <V> the type of the value
 */
final class ProcessorEntry<K, V> implements MutableEntry<K, V> {

    private enum State {
        UNTOUCHED,
        READ,
        LOADED,
        SET,
        REMOVED
    }

    private final K key;
    private final boolean stored;
    private final Loading<K, V> loading;
    private final UnaryOperator<V> checkValue;
    private @Nullable V value;
    private State state = State.UNTOUCHED;

    ProcessorEntry(K key, @Nullable CachedRow<K, V> row, Loading<K, V> loading, UnaryOperator<V> checkValue) {
        this.key = key;
        this.stored = row != null;
        this.value = row == null ? null : row.value();
        this.loading = loading;
        this.checkValue = checkValue;
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
    <R> EntryAction<V, R> action(R answer) {
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
