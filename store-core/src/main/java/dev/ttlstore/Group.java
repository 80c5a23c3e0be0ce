package dev.ttlstore;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

import dev.ttlstore.exception.CodecException;
import dev.ttlstore.exception.OutcomeUnknownException;
import dev.ttlstore.exception.SealedValueException;
import dev.ttlstore.exception.StoreClosedException;
import dev.ttlstore.exception.StoreException;
import dev.ttlstore.exception.ValueTooLargeException;

/**
 * A named set of entries whose values have one type. All reads and writes of entries are methods of a group. A group is
 * a thread-safe handle without state, so you can keep it or get it again each time. {@link GroupReads} has the reads,
 * {@link ConditionalWrites} compare-and-set, and {@link BulkWrites} the writes to many entries.
 *
 * <pre>{@code
 * record Invite(String mail) {}
 *
 * Group<Invite> invites = store.group("invites", Invite.class);
 * String token = invites.add(new Invite("anna@example.com"), Duration.ofDays(7));
 * Optional<Invite> invite = invites.get(token);
 * Optional<Invite> used = invites.take(token); // at most one caller gets it
 * }</pre>
 *
 * <p>An entry is visible until it expires. From that millisecond on no operation finds it, even if a purge has not
 * removed its row yet. Each write is atomic. When a write returns, its data is with the operating system or on the disk
 * (see {@link Durability}).
 *
 * <p>A method that puts a value without a ttl uses the group's default ttl ({@link GroupSettings#ttl}). Without a
 * default, the entry does not expire. A ttl is more than zero and at most 146 million years. Pass an {@link Expiry} for
 * anything else: at a time, never, or as before. An expected value equals the stored one if both encode to the same
 * bytes. Each put makes a new version, and no other put in the store has the same.
 *
 * <p>All methods throw {@link NullPointerException} for a null argument, {@link IllegalArgumentException} for an
 * invalid ttl, or a key that is not 1 to 1,024 bytes of UTF-8 without NUL, {@link StoreClosedException} after the store
 * was closed, and other {@link StoreException}s if the store cannot be read or written. Reads, and writes that compare
 * or return values, throw {@link CodecException} for a value that the group's codec cannot decode, and
 * {@link SealedValueException} for an encrypted value that the cipher cannot open. Writes throw {@link CodecException}
 * for a value that the codec cannot encode, and {@link ValueTooLargeException}. {@code watch} and {@code async} throw
 * {@link IllegalStateException} within a transaction. If a method throws, it has written nothing, except in two cases:
 * methods of {@link BulkWrites} that commit in batches keep their earlier commits ({@code clear} does this on a full
 * disk), and after an {@link OutcomeUnknownException} the write may have been made.
 *
 * @param <V> the type of the values
 * @since 0.1
 * @see Keyspace#group(String,Class)
 * @see TextGroup
 * @see Counters
 * @see AsyncGroup
 * @see Expiry
 * @see WriteBatch
 */
public interface Group<V> extends GroupReads<V>, ConditionalWrites<V>, BulkWrites<V> {

    /**
     * Puts a value without a ttl. An earlier expiry of the entry no longer applies.
     *
     * @param key the key
     * @param value the value
     * @return the new version
     */
    default long put(String key, V value) {
        return put(key, value, Expiry.groupDefault());
    }

    /**
     * Puts a value with a ttl.
     *
     * @param key the key
     * @param value the value
     * @param ttl how long the entry lives
     * @return the new version
     */
    default long put(String key, V value, Duration ttl) {
        return put(key, value, Expiry.after(ttl));
    }

    /**
     * Puts a value that expires at a time.
     *
     * @param key the key
     * @param value the value
     * @param expiresAt when the entry expires; a past time counts as now, so that the entry is gone at once
     * @return the new version
     */
    default long put(String key, V value, Instant expiresAt) {
        return put(key, value, Expiry.at(expiresAt));
    }

    /**
     * Puts a value.
     *
     * @param key the key
     * @param value the value
     * @param expiry when the entry expires
     * @return the new version
     */
    long put(String key, V value, Expiry expiry);

    /**
     * Puts a value without a ttl, and returns the one before.
     *
     * @param key the key
     * @param value the value
     * @return the value that the put has replaced; empty if there was no live entry
     */
    default Optional<V> getAndPut(String key, V value) {
        return getAndPut(key, value, Expiry.groupDefault());
    }

    /**
     * Puts a value with a ttl, and returns the one before.
     *
     * @param key the key
     * @param value the value
     * @param ttl how long the entry lives
     * @return the value that the put has replaced; empty if there was no live entry
     */
    default Optional<V> getAndPut(String key, V value, Duration ttl) {
        return getAndPut(key, value, Expiry.after(ttl));
    }

    /**
     * Puts a value, and returns the one before.
     *
     * @param key the key
     * @param value the value
     * @param expiry when the entry expires
     * @return the value that the put has replaced; empty if there was no live entry
     */
    Optional<V> getAndPut(String key, V value, Expiry expiry);

    /**
     * Puts a value without a ttl under a new key that nobody can guess. The key has 24 URL-safe characters with 144
     * random bits from the platform's secure generator.
     *
     * @param value the value
     * @return the key
     */
    default String add(V value) {
        return add(value, Expiry.groupDefault());
    }

    /**
     * Puts a value with a ttl under a new key, as {@link #add(Object)} does.
     *
     * @param value the value
     * @param ttl how long the entry lives
     * @return the key
     */
    default String add(V value, Duration ttl) {
        return add(value, Expiry.after(ttl));
    }

    /**
     * Puts a value under a new key, as {@link #add(Object)} does.
     *
     * @param value the value
     * @param expiry when the entry expires
     * @return the key
     */
    String add(V value, Expiry expiry);

    /**
     * Returns the live value, or loads and puts one without a ttl, as {@link #getOrPut(String, Expiry, Supplier)} does.
     *
     * @param key the key
     * @param loader computes the value
     * @return the value that is now stored
     */
    default V getOrPut(String key, Supplier<? extends V> loader) {
        return getOrPut(key, Expiry.groupDefault(), loader);
    }

    /**
     * Returns the live value, or loads and puts one with a ttl, as {@link #getOrPut(String, Expiry, Supplier)} does.
     *
     * @param key the key
     * @param ttl how long a loaded entry lives
     * @param loader computes the value
     * @return the value that is now stored
     */
    default V getOrPut(String key, Duration ttl, Supplier<? extends V> loader) {
        return getOrPut(key, Expiry.after(ttl), loader);
    }

    /**
     * Returns the live value, or loads and puts one if there is none. Within this store, one caller at a time loads a
     * key, in its own thread. Other callers wait for it, and load themselves if it throws.
     *
     * @param key the key
     * @param expiry when a loaded entry expires
     * @param loader computes the value, not null; if it throws, the caller gets the exception and nothing is put. It
     *     must not get the same key, or a key whose loader gets this one
     * @return the value that is now stored
     * @throws IllegalStateException if the loader gets the key that it loads
     */
    V getOrPut(String key, Expiry expiry, Supplier<? extends V> loader);

    /**
     * Replaces the live value by the result of a function, and keeps the expiry. The function runs in the caller's
     * thread, and again if another writer was faster. It must not write the same key, or it would never end.
     *
     * @param key the key
     * @param change computes the new value from the current one, not null; if it throws, the caller gets the exception
     *     and nothing changes
     * @return the value that was put; empty if there is no live entry
     */
    Optional<V> update(String key, UnaryOperator<V> change);

    /**
     * Replaces the live value by the result of a function, as {@link #update} does, or deletes the entry.
     *
     * @param key the key
     * @param change computes the new value from the current one, or returns empty to delete the entry
     * @return the value that was put; empty if there is no live entry any more
     */
    Optional<V> updateOrDelete(String key, Function<? super V, Optional<V>> change);

    /**
     * Deletes an entry.
     *
     * @param key the key
     * @return whether there was a live one; true for at most one of several concurrent callers
     */
    boolean delete(String key);

    /**
     * Deletes an entry and returns its value. At most one of several concurrent callers gets the value.
     *
     * @param key the key
     * @return the value; empty if there is no live entry
     */
    Optional<V> take(String key);

    /**
     * Deletes an entry and returns it, as {@link #take} does.
     *
     * @param key the key
     * @return the entry as it was; empty if there is no live entry
     */
    Optional<Entry<V>> takeEntry(String key);

    /**
     * Returns the live value and sets its ttl, counted from now, like the idle timeout of a session.
     *
     * @param key the key
     * @param ttl how long the entry lives from now
     * @return the value; empty if there is no live entry
     */
    default Optional<V> getAndExpire(String key, Duration ttl) {
        return getAndExpire(key, Expiry.after(ttl));
    }

    /**
     * Returns the live value and sets its expiry. The version stays.
     *
     * @param key the key
     * @param expiry when the entry expires
     * @return the value; empty if there is no live entry
     */
    Optional<V> getAndExpire(String key, Expiry expiry);

    /**
     * Sets the ttl of a live entry, counted from now: shorter or longer than before. Value and version stay.
     *
     * @param key the key
     * @param ttl how long the entry lives from now
     * @return whether there was a live entry
     */
    default boolean expire(String key, Duration ttl) {
        return expire(key, Expiry.after(ttl));
    }

    /**
     * Sets the expiry time of a live entry: earlier or later than before. Value and version stay.
     *
     * @param key the key
     * @param expiresAt when the entry expires; a past time counts as now
     * @return whether there was a live entry
     */
    default boolean expire(String key, Instant expiresAt) {
        return expire(key, Expiry.at(expiresAt));
    }

    /**
     * Sets the expiry of a live entry. Value and version stay.
     *
     * @param key the key
     * @param expiry when the entry expires
     * @return whether there was a live entry, including one whose expiry a condition has kept
     */
    boolean expire(String key, Expiry expiry);

    /**
     * Expires a live entry now. The store publishes the expiry, and {@code onExpired} handlers run, unlike after a
     * deletion.
     *
     * @param key the key
     * @return whether there was a live entry
     */
    default boolean expireNow(String key) {
        return expire(key, Expiry.now());
    }

    /**
     * Makes a live entry permanent. Value and version stay.
     *
     * @param key the key
     * @return whether there was a live entry, including one that did not expire anyway
     */
    default boolean persist(String key) {
        return expire(key, Expiry.never());
    }

    /** {@return the asynchronous writes of this group; a group of a transaction has none} */
    AsyncGroup<V> async();
}
