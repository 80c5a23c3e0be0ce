package dev.ttlstore;

import java.time.Instant;
import java.util.stream.Stream;

import dev.ttlstore.exception.CodecException;

/** Where groups are found. Thread-safe, except for a {@link Transaction}. */
public interface Keyspace {

    /**
     * A group of texts. A group needs no creation: it is there while it has an entry.
     *
     * @param name 1 to 1,024 bytes of UTF-8 (with the namespace, in a scope), without NUL; no character has a special
     *     meaning, and case counts
     * @return the group
     * @throws IllegalArgumentException if the name is not such
     */
    TextGroup group(String name);

    /**
     * A group of values of a class: {@code String}, {@code byte[]}, {@code Long}, or what the store's codecs know.
     *
     * @param name the group's name, as in {@link #group(String)}
     * @param type the class of the values
     * @return the group
     * @param <V> the type of the values
     * @throws IllegalArgumentException if the name is not valid
     * @throws CodecException if there is no codec for the class
     */
    <V> Group<V> group(String name, Class<V> type);

    /**
     * A group of values with a codec of their own.
     *
     * @param name the group's name, as in {@link #group(String)}
     * @param codec what turns values into bytes and back
     * @return the group
     * @param <V> the type of the values
     * @throws IllegalArgumentException if the name is not valid
     */
    <V> Group<V> group(String name, Codec<V> codec);

    /**
     * A group of whole numbers that can be counted up and down.
     *
     * @param name the group's name, as in {@link #group(String)}
     * @return the group
     * @throws IllegalArgumentException if the name is not valid
     */
    Counters counters(String name);

    /**
     * The names of the groups that have a live entry, in the order of their UTF-8 bytes. The stream is lazy and reads in
     * pages: it may be left half-read, and the store may be written meanwhile, what then is seen or not.
     *
     * @return the names
     */
    Stream<String> groups();

    /**
     * The names of the groups that begin alike and have a live entry, as {@link #groups()} tells them.
     *
     * @param prefix how they begin; empty for all. No character has a special meaning
     * @return the names
     */
    Stream<String> groups(String prefix);

    /**
     * Counts the live entries of all groups. The cost grows with the number of entries.
     *
     * @return how many there are
     */
    long count();

    /**
     * Counts the live entries of the groups that begin alike. The cost grows with their number.
     *
     * @param prefix how the groups' names begin; empty for all. No character has a special meaning
     * @return how many there are
     */
    long count(String prefix);

    /**
     * Removes all entries of a group at once, or a few at a time on a full disk, as {@link Group#clear()} does.
     *
     * @param name the group's name, as in {@link #group(String)}
     * @return how many live ones there were
     */
    long deleteGroup(String name);

    /**
     * Removes all entries of the groups that begin alike, at once: all or, when it fails, none. On a full disk they are removed a
     * few at a time, as {@link Group#clear()} does.
     *
     * @param prefix how the groups' names begin; empty for all. No character has a special meaning
     * @return how many live entries there were
     */
    long deletePrefix(String prefix);

    /**
     * The live entries that are going to expire in a span of time, the next first. The cost depends on how many there are,
     * not on what the store holds. The stream is lazy and reads in pages, as {@link #groups()} does. Before it returns
     * the first entry, it may read entries whose expiry was moved later by up to ten minutes. Within a transaction it returns
     * what was committed before.
     *
     * @param from the first expiry to look for
     * @param to the first expiry behind it
     * @return the entries
     */
    Stream<ExpiringEntry> expiring(Instant from, Instant to);

    /**
     * The entries that have expired in a span of time and are still known: not purged yet, or kept for the time of
     * {@link StoreBuilder#retention}. The one that expired first comes first; the stream is as in
     * {@link #expiring(Instant, Instant)}.
     *
     * @param from the first expiry to look for
     * @param to the first expiry behind it; what has not expired yet is not told
     * @return the entries
     */
    Stream<RetainedEntry> expired(Instant from, Instant to);
}
