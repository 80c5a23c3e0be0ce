package dev.ttlstore;

import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.event.Watch;
import dev.ttlstore.event.WatchOptions;
import dev.ttlstore.exception.CodecException;
import dev.ttlstore.exception.OutcomeUnknownException;
import dev.ttlstore.exception.SealedValueException;
import dev.ttlstore.exception.StoreClosedException;
import dev.ttlstore.exception.StoreException;
import dev.ttlstore.exception.ValueTooLargeException;

/**
 * The entries of one kind under one name: the interface for all work with keys. A group is a thread-safe handle
 * without state of its own. Get it where you need it, or keep it.
 *
 * <p>An entry is visible until it expires. From that millisecond on it is gone for every operation, whether or not its
 * row has been removed. Each write is atomic. When it returns, it is with the operating system or on the disk (see
 * {@link Durability}). {@link #sweep} and {@link #expireAll} write in small commits that let other writers in between.
 * An interrupt of the calling thread ends them early, and the thread's interrupt status stays set.
 *
 * <p>A method that puts a value without a ttl uses the group's default ttl ({@link GroupSettings#ttl}). Without a
 * default, the entry does not expire. A ttl is more than zero and at most 146 million years. An expiry time is the
 * first instant at which the entry is gone: in the future by the store's clock, by at most 146 million years.
 * Fractions of a millisecond are rounded up. An expected value equals the stored one if both encode to the same bytes.
 *
 * <p>All methods throw {@link NullPointerException} for a null argument, {@link IllegalArgumentException} for an
 * invalid ttl or expiry time, or a key that is not 1 to 1,024 bytes of UTF-8 without NUL, {@link StoreClosedException}
 * after the store was closed, and other {@link StoreException}s if the store cannot be read or written. Reads, and
 * writes that compare values, throw {@link CodecException} for a value that the group's codec cannot decode, and
 * {@link SealedValueException} for an encrypted value that the cipher cannot open. Writes throw {@link CodecException}
 * for a value that the codec cannot encode, and {@link ValueTooLargeException}. {@code watch} and {@code async} throw
 * {@link IllegalStateException} within a transaction. If a method throws, nothing was written, except by {@code sweep}
 * and {@code expireAll}, which commit in batches, as {@code clear} does on a full disk. Only after an {@link
 * OutcomeUnknownException} may the write have been made.
 *
 * @param <V> the type of the values
 */
public interface Group<V> {

    /** {@return the name by which the caller asked for the group} */
    String name();

    /**
     * {@return the live value; empty if there is none}
     *
     * @param key the key
     */
    Optional<V> get(String key);

    /**
     * {@return the live entry, which is the value with its version and times; empty if there is none}
     *
     * @param key the key
     */
    Optional<Entry<V>> entry(String key);

    /** {@return a snapshot of all live entries in memory, in the order of the keys' UTF-8 bytes; unmodifiable} */
    Map<String, V> getAll();

    /**
     * {@return a snapshot of the live entries among some keys, in the order of the keys' UTF-8 bytes; unmodifiable}
     *
     * @param keys the keys
     */
    Map<String, V> getAll(Collection<String> keys);

    /**
     * {@return the keys of the live entries, in the order of their UTF-8 bytes} The stream is lazy and reads in pages.
     * You may leave it half-read. It may or may not show writes that happen meanwhile.
     */
    Stream<String> keys();

    /** {@return the live entries in the order of their keys, as a stream like the one of {@link #keys()}} */
    Stream<Entry<V>> entries();

    /**
     * {@return the live entries of a range in its order, as a stream like the one of {@link #keys()}}
     *
     * @param range the range
     */
    Stream<Entry<V>> entries(KeyRange range);

    /**
     * {@return a page of the live entries, in the order of their keys}
     *
     * @param afterKey the key after which the page starts, with or without a live entry; null for the first page
     * @param limit how many entries at most, 1 to 10,000; the page has fewer only if there are no more
     * @throws IllegalArgumentException if the limit is out of bounds
     */
    List<Entry<V>> page(@Nullable String afterKey, int limit);

    /**
     * {@return whether there is a live entry}
     *
     * @param key the key
     */
    boolean contains(String key);

    /** {@return the number of live entries} The cost grows with their number. */
    long count();

    /**
     * {@return how many entries are live both now and at a time, if nobody writes meanwhile} It costs as much as a
     * count.
     *
     * @param at the time; a past one counts as now
     */
    long count(Instant at);

    /**
     * Puts a value without a ttl. An earlier expiry of the entry no longer applies.
     *
     * @param key the key
     * @param value the value
     */
    void put(String key, V value);

    /**
     * Puts a value with a ttl.
     *
     * @param key the key
     * @param value the value
     * @param ttl how long the entry lives
     */
    void put(String key, V value, Duration ttl);

    /**
     * Puts a value that expires at a time.
     *
     * @param key the key
     * @param value the value
     * @param expiresAt when the entry expires
     */
    void put(String key, V value, Instant expiresAt);

    /**
     * Puts values without a ttl: all of them, or none if it throws.
     *
     * @param values keys and values
     */
    void putAll(Map<String, ? extends V> values);

    /**
     * Puts values with a ttl: all of them, or none if it throws.
     *
     * @param values keys and values
     * @param ttl how long the entries live
     */
    void putAll(Map<String, ? extends V> values, Duration ttl);

    /**
     * Puts a value without a ttl if there is no live entry.
     *
     * @param key the key
     * @param value the value
     * @return whether the value was put; of concurrent callers, exactly one gets true if there was no live entry
     */
    boolean putIfAbsent(String key, V value);

    /**
     * Puts a value with a ttl if there is no live entry.
     *
     * @param key the key
     * @param value the value
     * @param ttl how long the entry lives
     * @return whether the value was put
     */
    boolean putIfAbsent(String key, V value, Duration ttl);

    /**
     * Replaces a value, without a ttl, if the live entry holds an expected one.
     *
     * @param key the key
     * @param expected the expected value
     * @param value the new value
     * @return whether the value was put
     */
    boolean replace(String key, V expected, V value);

    /**
     * Replaces a value, with a ttl, if the live entry holds an expected one.
     *
     * @param key the key
     * @param expected the expected value
     * @param value the new value
     * @param ttl how long the entry lives
     * @return whether the value was put
     */
    boolean replace(String key, V expected, V value, Duration ttl);

    /**
     * Replaces a value, without a ttl, if no other value was put since the caller read the entry.
     *
     * @param key the key
     * @param version the version that {@link #entry} returned
     * @param value the new value
     * @return whether the value was put
     */
    boolean replaceVersion(String key, long version, V value);

    /**
     * Replaces a value, with a ttl, if no other value was put since the caller read the entry.
     *
     * @param key the key
     * @param version the version that {@link #entry} returned
     * @param value the new value
     * @param ttl how long the entry lives
     * @return whether the value was put
     */
    boolean replaceVersion(String key, long version, V value, Duration ttl);

    /**
     * Replaces the live value by the result of a function, and keeps the expiry. The function runs in the caller's
     * thread, and again if another writer was faster. It must not write the same key, or it would never end.
     *
     * @param key the key
     * @param change computes the new value from the current one, not null; what it throws is thrown, and nothing
     *     changes
     * @return the value that was put; empty if there is no live entry
     */
    Optional<V> update(String key, UnaryOperator<V> change);

    /**
     * Returns the live value, or loads and puts one if there is none. Within this store, one caller at a time loads a
     * key, in its own thread. Other callers wait for it, and load themselves if it throws.
     *
     * @param key the key
     * @param ttl how long a loaded entry lives
     * @param loader computes the value, not null; what it throws is thrown, and nothing is put. It must not ask for
     *     the key itself, or for a key whose loader asks for this one
     * @return the value that is now stored
     * @throws IllegalStateException if the loader asks for the key that it loads
     */
    V getOrPut(String key, Duration ttl, Supplier<? extends V> loader);

    /**
     * Puts a value without a ttl under a new key. The key is 24 URL-safe characters with 144 random bits from the
     * platform's secure generator, so that nobody can guess it.
     *
     * @param value the value
     * @return the key
     */
    String add(V value);

    /**
     * Puts a value with a ttl under a new key, as {@link #add(Object)} does.
     *
     * @param value the value
     * @param ttl how long the entry lives
     * @return the key
     */
    String add(V value, Duration ttl);

    /**
     * Deletes an entry.
     *
     * @param key the key
     * @return whether there was a live one; true for at most one of several concurrent callers
     */
    boolean delete(String key);

    /**
     * Deletes an entry if it holds an expected value.
     *
     * @param key the key
     * @param expected the expected value
     * @return whether it was deleted
     */
    boolean delete(String key, V expected);

    /**
     * Deletes an entry if no other value was put since the caller read it.
     *
     * @param key the key
     * @param version the version that {@link #entry} returned
     * @return whether it was deleted
     */
    boolean deleteVersion(String key, long version);

    /**
     * Deletes an entry and returns its value. At most one of several concurrent callers gets the value.
     *
     * @param key the key
     * @return the value; empty if there is no live entry
     */
    Optional<V> take(String key);

    /**
     * Deletes all entries in one commit. If a full disk has no room for that, the store deletes a few at a time and
     * publishes an {@code EntryDeleted} event for each.
     *
     * @return how many live ones there were
     */
    long clear();

    /**
     * Deletes the entries of at least some age. The cost grows with the size of the group.
     *
     * @param maxAge the time since an entry's creation, zero or more
     * @return how many entries were deleted
     * @throws IllegalArgumentException if the age is negative
     */
    long sweep(Duration maxAge);

    /**
     * Sets the ttl of a live entry, counted from now: shorter or longer than before. Value and version stay.
     *
     * @param key the key
     * @param ttl how long the entry lives from now
     * @return whether there was a live entry
     */
    boolean expire(String key, Duration ttl);

    /**
     * Sets the expiry time of a live entry: earlier or later than before. Value and version stay.
     *
     * @param key the key
     * @param expiresAt when the entry expires
     * @return whether there was a live entry
     */
    boolean expire(String key, Instant expiresAt);

    /**
     * Makes a live entry permanent. Value and version stay.
     *
     * @param key the key
     * @return whether there was a live entry, including one that did not expire anyway
     */
    boolean persist(String key);

    /**
     * Lets all live entries expire now, and publishes that as usual. Entries that are put meanwhile may be among them.
     *
     * @return how many entries there were
     */
    long expireAll();

    /**
     * Sets the ttl of all live entries, counted from now, as {@link #expireAll()} does.
     *
     * @param ttl how long the entries live from now
     * @return how many entries there were
     */
    long expireAll(Duration ttl);

    /**
     * Opens a watch on the later changes of the group, with the default options. Close it after use.
     *
     * @return the watch, which its reader reads at its own pace
     */
    Watch watch();

    /**
     * Opens a watch on the group's changes, as {@link #watch()} does.
     *
     * @param options the capacity of the buffer, and what happens if it is full
     * @return the watch
     */
    Watch watch(WatchOptions options);

    /**
     * Opens a watch on the changes of an entry and the deletions of its group, as {@link #watch()} does.
     *
     * @param key the key
     * @param options the capacity of the buffer, and what happens if it is full
     * @return the watch
     */
    Watch watch(String key, WatchOptions options);

    /**
     * Opens a watch on the changes of an entry and the deletions of its group, as {@link #watch()} does.
     *
     * @param key the key
     * @return the watch
     */
    Watch watch(String key);

    /** {@return the asynchronous writes of this group, which a group of a transaction does not have} */
    AsyncGroup<V> async();
}
