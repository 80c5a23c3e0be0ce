package dev.ttlstore;

import java.time.Duration;
import java.util.Collection;
import java.util.Map;

/**
 * The writes of a {@link Group} that change many entries. {@link Group} describes the rules for all its methods.
 *
 * <pre>{@code
 * Group<Long> prices = store.group("prices", Long.class);
 * prices.putAll(Map.of("apple", 120L, "pear", 150L), Duration.ofHours(1));
 * prices.clear(KeyRange.prefix("old-"));
 * prices.sweep(Duration.ofDays(30));
 * }</pre>
 *
 * <p>Methods that take keys, and {@link #clear()}, make one commit. Methods that select entries by range or age work in
 * small commits with other writers in between, so the number of entries does not matter. They change every entry that
 * exists during the whole call, even if somebody updates it meanwhile. They may or may not change entries that are
 * created meanwhile, and they end even if others append entries faster than they work. An interrupt of the calling
 * thread ends them early, and the thread's interrupt status stays set. If they fail in the middle, their earlier
 * commits stay.
 *
 * <p>Within a transaction, all changes belong to its commit, and an interrupt has no effect.
 *
 * @param <V> the type of the values
 * @since 0.1
 * @see Group
 * @see KeyRange
 * @see AsyncBulkWrites
 */
public interface BulkWrites<V> {

    /**
     * Puts values without a ttl: all of them, or none if it throws.
     *
     * @param values keys and values
     */
    default void putAll(Map<String, ? extends V> values) {
        putAll(values, Expiry.groupDefault());
    }

    /**
     * Puts values with a ttl: all of them, or none if it throws.
     *
     * @param values keys and values
     * @param ttl how long the entries live
     */
    default void putAll(Map<String, ? extends V> values, Duration ttl) {
        putAll(values, Expiry.after(ttl));
    }

    /**
     * Puts values: all of them, or none if it throws.
     *
     * @param values keys and values
     * @param expiry when the entries expire
     */
    void putAll(Map<String, ? extends V> values, Expiry expiry);

    /**
     * Deletes entries in one commit.
     *
     * @param keys the keys; a repeated one counts once
     * @return how many live ones there were
     */
    long deleteAll(Collection<String> keys);

    /**
     * Deletes all entries in one commit. If a full disk has no room for that, the store deletes a few at a time and
     * publishes an {@code EntryDeleted} event for each.
     *
     * @return how many live ones there were
     */
    long clear();

    /**
     * Deletes the entries of a range, such as a partition of {@link CompositeKey}s. Publishes an {@code EntryDeleted}
     * event for each.
     *
     * @param range the range; its limit and direction count
     * @return how many entries were deleted
     */
    long clear(KeyRange range);

    /**
     * Deletes the entries of at least some age, and publishes an {@code EntryDeleted} event for each. Overwriting does
     * not make an entry younger. With an age index ({@link GroupSettings#withAgeIndex}), the cost depends on the number
     * of deleted entries, and the oldest go first. Otherwise, the cost grows with the size of the group.
     *
     * @param maxAge the time since an entry's creation, zero or more
     * @return how many entries were deleted
     * @throws IllegalArgumentException if the age is negative
     */
    long sweep(Duration maxAge);

    /**
     * Expires all live entries now, and publishes each expiry.
     *
     * @return how many entries there were
     */
    default long expireAllNow() {
        return expireAll(Expiry.now());
    }

    /**
     * Sets the ttl of all live entries, counted from now.
     *
     * @param ttl how long the entries live from now
     * @return how many entries there were
     */
    default long expireAll(Duration ttl) {
        return expireAll(Expiry.after(ttl));
    }

    /**
     * Sets the expiry of all live entries. Values and versions stay.
     *
     * @param expiry when the entries expire, such as {@code Expiry.afterCreation(ofDays(20))}
     * @return how many entries there were, including those whose expiry a condition has kept
     */
    default long expireAll(Expiry expiry) {
        return expireAll(KeyRange.all(), expiry);
    }

    /**
     * Sets the expiry of the live entries of a range. Values and versions stay.
     *
     * @param range the range; its limit and direction count
     * @param expiry when the entries expire
     * @return how many entries there were, including those whose expiry a condition has kept
     */
    long expireAll(KeyRange range, Expiry expiry);

    /**
     * Sets the expiry of live entries in one commit. Values and versions stay.
     *
     * @param keys the keys; a repeated one counts once
     * @param expiry when the entries expire
     * @return how many live ones there were, including those whose expiry a condition has kept
     */
    long expireAll(Collection<String> keys, Expiry expiry);
}
