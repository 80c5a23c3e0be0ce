package dev.ttlstore;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/**
 * Entries of one kind under one name: the place for all work with keys.
 *
 * <p>An entry is visible until its expiry and gone from that millisecond on, for every operation alike, whether or not its
 * row has been removed yet. Each write is atomic, and on its way to the disk when it returns (see {@link Durability}).
 *
 * <p>Groups are thread-safe handles without state of their own: get them where they are needed, or keep them.
 *
 * <p>All methods throw {@link NullPointerException} for a null argument, {@link IllegalArgumentException} for a key that is
 * not 1 to 1,024 bytes of UTF-8 without NUL, {@link StoreClosedException} after the store was closed, and other
 * {@link StoreException}s when the store cannot be read or written. Reads throw {@link CodecException} for a value that the
 * group's codec cannot read; writes throw it for one that it cannot encode, and {@link ValueTooLargeException}. Whatever is
 * thrown, nothing has been written then.
 *
 * @param <V> the type of the values
 */
public interface Group<V> {

    /**
     * The group's name.
     *
     * @return the name by which the group was asked for
     */
    String name();

    /**
     * Reads a value.
     *
     * @param key the key
     * @return the value; empty if there is no live entry
     */
    Optional<V> get(String key);

    /**
     * Reads an entry: the value with its version and times.
     *
     * @param key the key
     * @return the entry; empty if there is no live one
     */
    Optional<Entry<V>> entry(String key);

    /**
     * Reads all live entries at one moment. All of them are held in memory.
     *
     * @return keys and values in the order of the keys' UTF-8 bytes; the map cannot be changed
     */
    Map<String, V> getAll();

    /**
     * Whether there is a live entry.
     *
     * @param key the key
     * @return true if there is
     */
    boolean contains(String key);

    /**
     * Counts the live entries. The cost grows with their number.
     *
     * @return how many there are
     */
    long count();

    /**
     * Puts a value for good: an expiry that the entry had is taken away.
     *
     * @param key the key
     * @param value the value
     */
    void put(String key, V value);

    /**
     * Puts a value for some time.
     *
     * @param key the key
     * @param value the value
     * @param ttl how long the entry lives, more than zero; a fraction of a millisecond is rounded up
     * @throws IllegalArgumentException if the ttl is zero, negative, or above 146 million years
     */
    void put(String key, V value, Duration ttl);

    /**
     * Puts a value until a time.
     *
     * @param key the key
     * @param value the value
     * @param expiresAt the first instant at which the entry is gone; a fraction of a millisecond is rounded up
     * @throws IllegalArgumentException if the time is not in the future by the store's clock
     */
    void put(String key, V value, Instant expiresAt);

    /**
     * Puts a value for good under a fresh key: 24 characters that are safe in a URL, with 144 random bits from the
     * platform's secure generator, so that nobody guesses it.
     *
     * @param value the value
     * @return the key
     */
    String add(V value);

    /**
     * Puts a value for some time under a fresh key, as {@link #add(Object)} does.
     *
     * @param value the value
     * @param ttl how long the entry lives, as in {@link #put(String, Object, Duration)}
     * @return the key
     * @throws IllegalArgumentException if the ttl is not valid
     */
    String add(V value, Duration ttl);

    /**
     * Removes an entry.
     *
     * @param key the key
     * @return whether there was a live one; of callers at the same time at most one gets true
     */
    boolean delete(String key);

    /**
     * Removes an entry and returns its value, which is thereby used up: of callers at the same time at most one gets it.
     *
     * @param key the key
     * @return the value; empty if there is no live entry
     */
    Optional<V> take(String key);

    /**
     * Removes all entries at once.
     *
     * @return how many live ones there were
     */
    long clear();

    /**
     * Lets a live entry live for some time from now, shorter or longer than it would have. Value and version stay.
     *
     * @param key the key
     * @param ttl how long, as in {@link #put(String, Object, Duration)}
     * @return whether there was a live entry
     * @throws IllegalArgumentException if the ttl is not valid
     */
    boolean expire(String key, Duration ttl);

    /**
     * Lets a live entry live until a time, shorter or longer than it would have. Value and version stay.
     *
     * @param key the key
     * @param expiresAt when it shall be gone, as in {@link #put(String, Object, Instant)}
     * @return whether there was a live entry
     * @throws IllegalArgumentException if the time is not in the future by the store's clock
     */
    boolean expire(String key, Instant expiresAt);

    /**
     * Lets a live entry stay for good. Value and version stay.
     *
     * @param key the key
     * @return whether there was a live entry, also one that did not expire anyway
     */
    boolean persist(String key);
}
