package dev.ttlstore.jcache;

import java.util.OptionalInt;

import javax.cache.event.EventType;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.Expiry;
import dev.ttlstore.jcache.CacheRows.CachedRow;

/**
 * Changes single entries, atomically: reads the entry, decides, and writes only if nobody has changed the entry meanwhile, also
 * not another instance. Otherwise it starts again. Within this process, the changes of a key happen one after the other, with the
 * calls of writers and listeners.
 *
 * @param rows the entries
 * @param expiries the expiries of the cache's policy
 * @param writing the writer
 * @param listeners the listeners
 * @param locks the locks of the keys
 * @param <K> the type of the keys
 * @param <V> the type of the values
 */
record AtomicChanges<K, V>(
        CacheRows<K, V> rows,
        Expiries expiries,
        WriteThrough<K, V> writing,
        Listeners<K, V> listeners,
        KeyLocks locks) {

    /** Does to an entry what a decision says. */
    <R> Applied<K, V, R> apply(K key, EntryAction.Decision<K, V, R> decision) {
        String text = rows.text(key);
        return locks.locked(text, () -> repeat(key, text, decision));
    }

    private <R> Applied<K, V, R> repeat(K key, String text, EntryAction.Decision<K, V, R> decision) {
        WriteThrough<K, V>.Once once = writing.once();
        while (true) {
            CachedRow<K, V> row = rows.read(key, text);
            EntryAction<V, R> action = decision.decide(row);
            if (action.through()) {
                once.tell(key, action.value());
            }
            Attempt<K, V> attempt = attempt(key, text, row, action);
            if (attempt.done()) {
                EntryChange<K, V> change = attempt.change();
                if (change != null) {
                    listeners.publish(change);
                }
                return new Applied<>(action.answer(), change);
            }
        }
    }

    private Attempt<K, V> attempt(K key, String text, @Nullable CachedRow<K, V> row, EntryAction<V, ?> action) {
        V value = action.value();
        if (action.kind() == EntryAction.Kind.SET && value != null) {
            return row == null ? create(key, text, value) : update(row, value);
        } else if (row != null && action.kind() == EntryAction.Kind.REMOVE) {
            return new Attempt<>(
                    rows.delete(row), new EntryChange<>(EventType.REMOVED, key, row.value(), row.value(), row.bytes()));
        } else if (row != null && action.kind() == EntryAction.Kind.ACCESS) {
            touch(text);
        }
        return new Attempt<>(true, null);
    }

    private Attempt<K, V> create(K key, String text, V value) {
        Expiry expiry = expiries.ofCreation();
        if (expiry == null) {
            return new Attempt<>(true, null);
        }
        OptionalInt inserted = rows.insert(key, text, value, expiry);
        if (inserted.isEmpty()) {
            rows.deleteUnreadable(key, text);
        }
        return new Attempt<>(
                inserted.isPresent(), new EntryChange<>(EventType.CREATED, key, value, null, inserted.orElse(0)));
    }

    private Attempt<K, V> update(CachedRow<K, V> row, V value) {
        OptionalInt replaced = rows.replace(row, value, expiries.ofUpdate());
        long bytes = (long) row.bytes() + replaced.orElse(0);
        return new Attempt<>(
                replaced.isPresent(), new EntryChange<>(EventType.UPDATED, row.key(), value, row.value(), bytes));
    }

    /** Gives an entry that was read the life that the policy says. */
    void touch(String text) {
        Expiry expiry = expiries.ofAccess();
        if (expiry != null) {
            boolean unused = rows.expire(text, expiry); // it may have gone, which is as if it had been read before
        }
    }

    /**
     * What has come of a change.
     *
     * @param answer the answer to the caller
     * @param change what has changed; null if nothing has
     * @param <K> the type of the key
     * @param <V> the type of the value
     * @param <R> the type of the answer
     */
    record Applied<K, V, R>(R answer, @Nullable EntryChange<K, V> change) {

        boolean changed() {
            return change != null;
        }
    }

    /**
     * An attempt to change an entry.
     *
     * @param done whether nobody was faster
     * @param change what has changed if it is done; null if nothing has
     */
    private record Attempt<K, V>(boolean done, @Nullable EntryChange<K, V> change) {}
}
