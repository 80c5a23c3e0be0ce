package dev.ttlstore;

import java.time.Duration;
import java.time.Instant;
import java.util.stream.Stream;

import dev.ttlstore.exception.CodecException;

/**
 * Gives access to the groups of a store, a scope or a transaction. Thread-safe, except for a {@link Transaction}.
 *
 * <pre>{@code
 * record Invite(String mail) {}
 *
 * TextGroup config = store.group("config");
 * Group<Invite> invites = store.group("invites", Invite.class);
 * Counters visits = store.counters("visits");
 * }</pre>
 *
 * @since 0.1
 * @see Store
 * @see Scope
 * @see Transaction
 * @see Group
 */
public interface Keyspace {

    /**
     * Returns the store's time, by which entries expire. It never runs backwards, and may differ from the time of this
     * machine. On PostgreSQL it is the server's time, estimated from its latest answers without a round trip. Within a
     * transaction it is the moment that the transaction sees.
     *
     * @return the time, to the millisecond
     */
    Instant now();

    /**
     * Returns a group of texts. Groups need not be created: a group exists while it has an entry.
     *
     * @param name 1 to 1,024 bytes of UTF-8 (in a scope including the namespace), without NUL; no character has a
     *     special meaning, and case counts
     * @return the group
     * @throws IllegalArgumentException if the name is not valid
     */
    TextGroup group(String name);

    /**
     * Returns a group with values of a class: {@code String}, {@code byte[]}, {@code Long}, or a class for which the
     * store's codecs have a codec.
     *
     * @param name the group's name, as in {@link #group(String)}
     * @param type the class of the values
     * @return the group
     * @param <V> the type of the values
     * @throws IllegalArgumentException if the name is not valid
     * @throws CodecException if there is no codec for the class
     */
    default <V> Group<V> group(String name, Class<V> type) {
        return group(name, TypeRef.ofClass(type));
    }

    /**
     * Returns a group with values of a generic type, for which the store's codecs have a codec:
     * {@code group("batches", new TypeRef<List<Invite>>() {})}.
     *
     * @param name the group's name, as in {@link #group(String)}
     * @param type the type of the values
     * @return the group
     * @param <V> the type of the values
     * @throws IllegalArgumentException if the name is not valid
     * @throws CodecException if there is no codec for the type
     */
    <V> Group<V> group(String name, TypeRef<V> type);

    /**
     * Returns a group with a codec of its own.
     *
     * @param name the group's name, as in {@link #group(String)}
     * @param codec encodes and decodes the values
     * @return the group
     * @param <V> the type of the values
     * @throws IllegalArgumentException if the name is not valid
     */
    <V> Group<V> group(String name, Codec<V> codec);

    /**
     * Returns a group of whole numbers with atomic increments.
     *
     * @param name the group's name, as in {@link #group(String)}
     * @return the group
     * @throws IllegalArgumentException if the name is not valid
     */
    Counters counters(String name);

    /**
     * Starts a batch of writes to several groups that commit together.
     *
     * @return an empty batch
     */
    WriteBatch batch();

    /**
     * Returns the names of all groups with a live entry, in the order of their UTF-8 bytes. The stream is lazy and
     * reads in pages. You may leave it half-read. It may or may not show writes that happen meanwhile.
     *
     * @return the names
     */
    default Stream<String> groups() {
        return groups("");
    }

    /**
     * Returns the names of the groups with a live entry whose name starts with a prefix, as {@link #groups()} does.
     *
     * @param prefix the prefix; empty for all groups. No character has a special meaning
     * @return the names
     */
    Stream<String> groups(String prefix);

    /**
     * Counts the live entries of all groups. The cost grows with their number.
     *
     * @return how many there are
     */
    default long count() {
        return count("");
    }

    /**
     * Counts the live entries of the groups whose name starts with a prefix. The cost grows with their number.
     *
     * @param prefix the prefix; empty for all groups. No character has a special meaning
     * @return how many there are
     */
    long count(String prefix);

    /**
     * Deletes all entries of a group in one commit, or a few at a time on a full disk, as {@link Group#clear()} does.
     *
     * @param name the group's name, as in {@link #group(String)}
     * @return how many live ones there were
     */
    long deleteGroup(String name);

    /**
     * Deletes all entries of the groups whose name starts with a prefix, in one commit: all of them, or none if it
     * throws. On a full disk it deletes a few at a time, as {@link Group#clear()} does.
     *
     * @param prefix the prefix; empty for all groups. No character has a special meaning
     * @return how many live entries there were
     */
    long deletePrefix(String prefix);

    /**
     * Sets the expiry of all live entries of the groups whose name starts with a prefix, as {@link
     * BulkWrites#expireAll(Expiry)} does for one group.
     *
     * @param prefix the prefix; empty for all groups. No character has a special meaning
     * @param expiry when the entries expire
     * @return how many entries there were
     */
    long expirePrefix(String prefix, Expiry expiry);

    /**
     * Deletes the entries of at least some age from all groups, as {@link Group#sweep(Duration)} does for one. It reads
     * all entries of the groups without an age index.
     *
     * @param maxAge the time since an entry's creation, zero or more
     * @return how many entries were deleted
     * @throws IllegalArgumentException if the age is negative
     */
    long sweep(Duration maxAge);

    /**
     * Returns the live entries that expire within a time span, the earliest expiry first. The cost depends on their
     * number, not on the size of the store. The stream is lazy and reads in pages, as {@link #groups()} does. Before it
     * returns the first entry, it may read renewed entries with an earlier expiry, up to ten minutes before
     * {@code from}. Within a transaction it returns committed entries only.
     *
     * @param from the start of the time span, inclusive
     * @param to the end of the time span, exclusive
     * @return the entries
     */
    Stream<ExpiringEntry> expiring(Instant from, Instant to);

    /**
     * Returns the entries that expired within a time span and are still available: not purged yet, or kept for
     * {@link StoreBuilder#retention}. The earliest expiry comes first. The stream reads as
     * {@link #expiring(Instant, Instant)} does.
     *
     * @param from the start of the time span, inclusive
     * @param to the end of the time span, exclusive; the stream has no entries that have not expired yet
     * @return the entries
     */
    Stream<RetainedEntry> expired(Instant from, Instant to);
}
