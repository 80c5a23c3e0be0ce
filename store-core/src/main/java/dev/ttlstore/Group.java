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
import dev.ttlstore.exception.SealedValueException;
import dev.ttlstore.exception.StoreClosedException;
import dev.ttlstore.exception.StoreException;
import dev.ttlstore.exception.ValueTooLargeException;

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
 * group's codec cannot read, and {@link SealedValueException} for one that does not open where the group is encrypted, as do
 * writes that compare values; writes throw {@link CodecException} for a value that the codec cannot encode, and
 * {@link ValueTooLargeException}. Whatever is thrown, nothing has been written then, but for what {@link #sweep} and {@link #expireAll} have done in the commits before.
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
     * Reads some entries at one moment.
     *
     * @param keys the keys
     * @return keys and values of those that are live, in the order of the keys' UTF-8 bytes; the map cannot be changed
     */
    Map<String, V> getAll(Collection<String> keys);

    /**
     * The keys of the live entries, in the order of their UTF-8 bytes. The stream is lazy and reads in pages: it may be left
     * half-read, and the store may be written meanwhile, what then is seen or not.
     *
     * @return the keys
     */
    Stream<String> keys();

    /**
     * The live entries, in the order of their keys, streamed as {@link #keys()} are.
     *
     * @return the entries
     */
    Stream<Entry<V>> entries();

    /**
     * The live entries of a range, in its order, streamed as {@link #keys()} are.
     *
     * @param range which
     * @return the entries
     */
    Stream<Entry<V>> entries(KeyRange range);

    /**
     * Reads a page of the live entries, in the order of their keys.
     *
     * @param afterKey the key that the page comes behind, of a live entry or not; null to begin
     * @param limit how many entries at most, 1 to 10,000
     * @return the entries; fewer than {@code limit} only when there are no more
     * @throws IllegalArgumentException if the limit is out of bounds
     */
    List<Entry<V>> page(@Nullable String afterKey, int limit);

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
     * Counts the entries that live now and will still live at a time, if nobody writes meanwhile. The cost grows with the
     * number of entries.
     *
     * @param at the time; one that has passed stands for now
     * @return how many there are
     */
    long count(Instant at);

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
     * @throws IllegalArgumentException if the time is not in the future by the store's clock, or 146 million years ahead
     */
    void put(String key, V value, Instant expiresAt);

    /**
     * Puts values for good, all or, when it fails, none.
     *
     * @param values keys and values
     */
    void putAll(Map<String, ? extends V> values);

    /**
     * Puts values for some time, all or, when it fails, none.
     *
     * @param values keys and values
     * @param ttl how long the entries live, as in {@link #put(String, Object, Duration)}
     * @throws IllegalArgumentException if the ttl is not valid
     */
    void putAll(Map<String, ? extends V> values, Duration ttl);

    /**
     * Puts a value for good, unless there is a live entry.
     *
     * @param key the key
     * @param value the value
     * @return whether the value was put; of callers at the same time exactly one gets true, if there was no live entry
     */
    boolean putIfAbsent(String key, V value);

    /**
     * Puts a value for some time, unless there is a live entry.
     *
     * @param key the key
     * @param value the value
     * @param ttl how long the entry lives, as in {@link #put(String, Object, Duration)}
     * @return whether the value was put
     * @throws IllegalArgumentException if the ttl is not valid
     */
    boolean putIfAbsent(String key, V value, Duration ttl);

    /**
     * Puts a value for good in the place of another.
     *
     * @param key the key
     * @param expected the value that must stand there; values are the same if they are encoded to the same bytes
     * @param value the value
     * @return whether the value was put
     */
    boolean replace(String key, V expected, V value);

    /**
     * Puts a value for some time in the place of another.
     *
     * @param key the key
     * @param expected the value that must stand there, as in {@link #replace(String, Object, Object)}
     * @param value the value
     * @param ttl how long the entry lives, as in {@link #put(String, Object, Duration)}
     * @return whether the value was put
     * @throws IllegalArgumentException if the ttl is not valid
     */
    boolean replace(String key, V expected, V value, Duration ttl);

    /**
     * Puts a value for good, unless another was put since the entry was read.
     *
     * @param key the key
     * @param version the version that was read, with {@link #entry}
     * @param value the value
     * @return whether the value was put
     */
    boolean replaceVersion(String key, long version, V value);

    /**
     * Puts a value for some time, unless another was put since the entry was read.
     *
     * @param key the key
     * @param version the version that was read, with {@link #entry}
     * @param value the value
     * @param ttl how long the entry lives, as in {@link #put(String, Object, Duration)}
     * @return whether the value was put
     * @throws IllegalArgumentException if the ttl is not valid
     */
    boolean replaceVersion(String key, long version, V value, Duration ttl);

    /**
     * Makes a new value of the one that stands; the entry keeps its expiry. The function is called in the caller's thread,
     * and again when somebody else was faster; it must not write the same key itself, or it would never be done.
     *
     * @param key the key
     * @param change from the value that stands to the one to put, not null; what it throws is thrown, and changes nothing
     * @return the value that was put; empty if there is no live entry
     */
    Optional<V> update(String key, UnaryOperator<V> change);

    /**
     * Reads a value, or loads and puts it where there is no live entry. One caller of this store loads a key at a time, in
     * its own thread; others wait for it, and load themselves when it has thrown.
     *
     * @param key the key
     * @param ttl how long an entry that is loaded lives, as in {@link #put(String, Object, Duration)}
     * @param loader makes the value, not null; what it throws is thrown, and leaves nothing. It must not ask for the same
     *     key, nor for one whose loader asks for this
     * @return the value that stands now
     * @throws IllegalArgumentException if the ttl is not valid
     * @throws IllegalStateException if the loader asks for the key that it loads
     */
    V getOrPut(String key, Duration ttl, Supplier<? extends V> loader);

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
     * Removes an entry if it holds a value.
     *
     * @param key the key
     * @param expected the value that must stand there, as in {@link #replace(String, Object, Object)}
     * @return whether it was removed
     */
    boolean delete(String key, V expected);

    /**
     * Removes an entry, unless another value was put since it was read.
     *
     * @param key the key
     * @param version the version that was read, with {@link #entry}
     * @return whether it was removed
     */
    boolean deleteVersion(String key, long version);

    /**
     * Removes an entry and returns its value, which is thereby used up: of callers at the same time at most one gets it.
     *
     * @param key the key
     * @return the value; empty if there is no live entry
     */
    Optional<V> take(String key);

    /**
     * Removes all entries at once. On a full disk there may be no room for that. The store then removes a few at a time, and
     * sends an {@code EntryDeleted} event for each.
     *
     * @return how many live ones there were
     */
    long clear();

    /**
     * Removes the entries that came into being some time ago or earlier, in small commits between which other writers get
     * in. The cost grows with the size of the group. When the calling thread is interrupted, it ends early and the thread's
     * interrupt status stays set.
     *
     * @param maxAge how old an entry may become, zero or more
     * @return how many entries went
     * @throws IllegalArgumentException if the age is negative
     */
    long sweep(Duration maxAge);

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
     * @throws IllegalArgumentException if the time is not in the future by the store's clock, or 146 million years ahead
     */
    boolean expire(String key, Instant expiresAt);

    /**
     * Lets a live entry stay for good. Value and version stay.
     *
     * @param key the key
     * @return whether there was a live entry, also one that did not expire anyway
     */
    boolean persist(String key);

    /**
     * Lets all live entries expire now, in small commits between which other writers get in; what is put meanwhile may be
     * among them or not. Their expiry is told as any other is. When the calling thread is interrupted, it ends early and the
     * thread's interrupt status stays set.
     *
     * @return how many entries it was
     */
    long expireAll();

    /**
     * Lets all live entries live for some time from now, shorter or longer than they would have, as {@link #expireAll()}
     * goes about it.
     *
     * @param ttl how long, as in {@link #put(String, Object, Duration)}
     * @return how many entries it was
     * @throws IllegalArgumentException if the ttl is not valid
     */
    long expireAll(Duration ttl);

    /**
     * Watches the changes of the group from now on, to be read at the reader's own pace.
     *
     * @return a watch with the default options; close it when it is read no more
     * @throws IllegalStateException within a transaction
     */
    Watch watch();

    /**
     * Watches the changes of the group, as {@link #watch()} does.
     *
     * @param options how much the watch holds, and what it does when there is more
     * @return the watch
     * @throws IllegalStateException within a transaction
     */
    Watch watch(WatchOptions options);

    /**
     * Watches the changes of an entry, and deletions of the group, as {@link #watch()} does.
     *
     * @param key the key
     * @param options how much the watch holds, and what it does when there is more
     * @return the watch
     * @throws IllegalStateException within a transaction
     */
    Watch watch(String key, WatchOptions options);

    /**
     * Watches the changes of an entry, and deletions of the group, as {@link #watch()} does.
     *
     * @param key the key
     * @return the watch
     * @throws IllegalStateException within a transaction
     */
    Watch watch(String key);

    /**
     * The same writes for callers who don't wait. Of a transaction's group there is none.
     *
     * @return the group's asynchronous side
     * @throws IllegalStateException within a transaction
     */
    AsyncGroup<V> async();
}
