package dev.ttlstore;

import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.event.EntryPut;
import dev.ttlstore.event.Watch;
import dev.ttlstore.event.WatchOptions;

/**
 * The reads of a {@link Group}, which describes the rules for all its methods.
 *
 * <pre>{@code
 * TextGroup config = store.group("config");
 * Optional<String> theme = config.get("theme");
 * List<Entry<String>> firstPage = config.page(null, 100);
 * try (Stream<String> keys = config.keys(KeyRange.prefix("mail."))) {
 *     keys.forEach(System.out::println);
 * }
 * }</pre>
 *
 * <p>Streams are lazy and read in pages. You may leave a stream half-read. It may or may not show writes that happen
 * meanwhile. Keys are ordered by their UTF-8 bytes.
 *
 * @param <V> the type of the values
 * @since 0.1
 * @see Group
 * @see Entry
 * @see KeyRange
 */
public interface GroupReads<V> {

    /** {@return the name of the group, as the caller gave it} */
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

    /**
     * {@return whether there is a live entry}
     *
     * @param key the key
     */
    boolean contains(String key);

    /** {@return a snapshot of all live entries in memory, in the order of the keys; unmodifiable} */
    Map<String, V> getAll();

    /**
     * {@return a snapshot of the live entries among some keys, in the order of the keys; unmodifiable}
     *
     * @param keys the keys
     */
    Map<String, V> getAll(Collection<String> keys);

    /**
     * {@return a snapshot of the live entries among some keys, with their versions and times, in the order of the keys; unmodifiable}
     *
     * @param keys the keys
     */
    Map<String, Entry<V>> entries(Collection<String> keys);

    /** {@return the keys of the live entries in their order, as a stream} */
    default Stream<String> keys() {
        return keys(KeyRange.all());
    }

    /**
     * {@return the keys of the live entries of a range in its order, as a stream}
     *
     * @param range the range
     */
    Stream<String> keys(KeyRange range);

    /** {@return the live entries in the order of their keys, as a stream} */
    default Stream<Entry<V>> entries() {
        return entries(KeyRange.all());
    }

    /**
     * {@return the live entries of a range in its order, as a stream}
     *
     * @param range the range
     */
    Stream<Entry<V>> entries(KeyRange range);

    /**
     * {@return a page of the live entries, in the order of their keys}
     *
     * @param afterKey the last key of the page before, with or without a live entry; null for the first page
     * @param limit how many entries at most, 1 to 10,000; the page has fewer only if there are no more
     * @throws IllegalArgumentException if the limit is out of bounds
     */
    default List<Entry<V>> page(@Nullable String afterKey, int limit) {
        return page(KeyRange.all(), afterKey, limit);
    }

    /**
     * Returns a page of the live entries of a range, in its order. To page backwards, reverse the range.
     *
     * @param range the range
     * @param afterKey the last key of the page before, with or without a live entry; null for the first page
     * @param limit how many entries at most, 1 to 10,000; the page has fewer only if there are no more
     * @return the page
     * @throws IllegalArgumentException if the limit is out of bounds
     */
    List<Entry<V>> page(KeyRange range, @Nullable String afterKey, int limit);

    /**
     * Returns the live entries that were created before a time, the oldest first, as a stream. Overwriting does not
     * make an entry younger. The cost depends on the number of entries that you read, not on the size of the group.
     * This needs an age index.
     *
     * @param time the time, exclusive
     * @return the entries, in the order of their creation and then of their keys
     * @throws IllegalStateException if the group has no age index ({@link GroupSettings#withAgeIndex})
     */
    Stream<Entry<V>> createdBefore(Instant time);

    /** {@return the number of live entries} The cost grows with their number. */
    default long count() {
        return count(KeyRange.all());
    }

    /**
     * {@return the number of live entries of a range, at most its limit} The cost grows with their number.
     *
     * @param range the range
     */
    long count(KeyRange range);

    /**
     * {@return how many entries are live now and will still be live at a time, if nobody writes meanwhile} The cost
     * grows with the number of live entries.
     *
     * @param at the time; a past one counts as now
     */
    long count(Instant at);

    /**
     * Opens a watch on the changes of the group from now on, with the default options. Close it after use.
     *
     * @return the watch; its reader takes changes at its own pace
     */
    default Watch watch() {
        return watch(WatchOptions.defaults());
    }

    /**
     * Opens a watch on the changes of an entry and the deletions of its group, as {@link #watch()} does.
     *
     * @param key the key
     * @return the watch
     */
    default Watch watch(String key) {
        return watch(WatchOptions.defaults().ofKey(key));
    }

    /**
     * Opens a watch on the group's changes that the options select, as {@link #watch()} does.
     *
     * @param options what to watch, where to start, the capacity of the buffer, and what happens if the buffer is full
     * @return the watch
     * @throws IllegalArgumentException if the options name another group
     */
    Watch watch(WatchOptions options);

    /**
     * {@return the value of an event of this group; empty if the event has none}
     *
     * @param event an event of this group, from a watch or listener that has asked for values
     */
    Optional<V> valueOf(EntryPut event);
}
