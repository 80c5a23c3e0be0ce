package dev.ttlstore.jcache;

import dev.ttlstore.jcache.Rows.Row;

import java.util.OptionalInt;

import javax.cache.event.EventType;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.Expiry;

/**
 * Changes single entries, atomically: reads the entry, decides, and writes only if nobody has changed the entry meanwhile, also
 * not another instance. Otherwise it starts again. Within this process, the changes of a key happen one after the other, with the
 * calls of writers and listeners.
 *
 * @param <K> the type of the keys
 * @param <V> the type of the values
 */
final class Changes<K, V> {

    private final Rows<K, V> rows;
    private final Expiries expiries;
    private final Writing<K, V> writing;
    private final Listeners<K, V> listeners;
    private final KeyLocks locks;

    Changes(Rows<K, V> rows, Expiries expiries, Writing<K, V> writing, Listeners<K, V> listeners, KeyLocks locks) {
        this.rows = rows;
        this.expiries = expiries;
        this.writing = writing;
        this.listeners = listeners;
        this.locks = locks;
    }

    /** Does to an entry what a decision says. */
    <R> Applied<K, V, R> apply(K key, Step.Decision<K, V, R> decision) {
        String text = rows.text(key);
        return locks.locked(text, () -> repeat(key, text, decision));
    }

    private <R> Applied<K, V, R> repeat(K key, String text, Step.Decision<K, V, R> decision) {
        Writing<K, V>.Once once = writing.once();
        while (true) {
            Row<K, V> row = rows.read(key, text);
            Step<V, R> step = decision.decide(row);
            if (step.through()) {
                once.tell(key, step.value());
            }
            Attempt<K, V> attempt = attempt(key, text, row, step);
            if (attempt.done()) {
                Change<K, V> change = attempt.change();
                if (change != null) {
                    listeners.publish(change);
                }
                return new Applied<>(step.answer(), change);
            }
        }
    }

    private Attempt<K, V> attempt(K key, String text, @Nullable Row<K, V> row, Step<V, ?> step) {
        V value = step.value();
        if (step.kind() == Step.Kind.SET && value != null) {
            return row == null ? create(key, text, value) : update(row, value);
        } else if (row != null && step.kind() == Step.Kind.REMOVE) {
            return new Attempt<>(rows.delete(row), Change.gone(EventType.REMOVED, key, row.value(), row.bytes()));
        } else if (row != null && step.kind() == Step.Kind.ACCESS) {
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
        return new Attempt<>(inserted.isPresent(), Change.created(key, value, inserted.orElse(0)));
    }

    private Attempt<K, V> update(Row<K, V> row, V value) {
        OptionalInt replaced = rows.replace(row, value, expiries.ofUpdate());
        long bytes = (long) row.bytes() + replaced.orElse(0);
        return new Attempt<>(replaced.isPresent(), Change.updated(row.key(), value, row.value(), bytes));
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
    record Applied<K, V, R>(R answer, @Nullable Change<K, V> change) {

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
    private record Attempt<K, V>(boolean done, @Nullable Change<K, V> change) {}
}
