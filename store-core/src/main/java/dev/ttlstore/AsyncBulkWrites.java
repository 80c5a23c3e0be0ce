package dev.ttlstore;

import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

import org.jspecify.annotations.Nullable;

/**
 * The {@link BulkWrites} of a {@link Group} for callers that do not wait, with the rules of {@link AsyncGroup}.
 *
 * <pre>{@code
 * AsyncGroup<Long> prices = store.group("prices", Long.class).async();
 * prices.putAll(Map.of("apple", 120L, "pear", 150L), Duration.ofHours(1))
 *         .thenCompose(written -> prices.clear(KeyRange.prefix("old-")))
 *         .thenAccept(deleted -> log.info("{} old prices deleted", deleted));
 * }</pre>
 *
 * @param <V> the type of the values
 * @since 0.1
 * @see AsyncGroup
 * @see BulkWrites
 */
public interface AsyncBulkWrites<V> {

    /**
     * Puts values, as {@link BulkWrites#putAll(Map)} does.
     *
     * @param values keys and values
     * @return completed when the values are put
     */
    default CompletableFuture<@Nullable Void> putAll(Map<String, ? extends V> values) {
        return putAll(values, Expiry.groupDefault());
    }

    /**
     * Puts values with a ttl, as {@link BulkWrites#putAll(Map, Duration)} does.
     *
     * @param values keys and values
     * @param ttl how long the entry lives
     * @return completed when the values are put
     */
    default CompletableFuture<@Nullable Void> putAll(Map<String, ? extends V> values, Duration ttl) {
        return AsyncExpiry.<@Nullable Void>with(() -> Expiry.after(ttl), expiry -> putAll(values, expiry));
    }

    /**
     * Puts values with an expiry, as {@link BulkWrites#putAll(Map, Expiry)} does.
     *
     * @param values keys and values
     * @param expiry when the entry expires
     * @return completed when the values are put
     */
    CompletableFuture<@Nullable Void> putAll(Map<String, ? extends V> values, Expiry expiry);

    /**
     * Deletes entries, as {@link BulkWrites#deleteAll(Collection)} does.
     *
     * @param keys the keys
     * @return how many live ones there were
     */
    CompletableFuture<Long> deleteAll(Collection<String> keys);

    /**
     * Deletes all entries, as {@link BulkWrites#clear()} does.
     *
     * @return how many live entries there were
     */
    CompletableFuture<Long> clear();

    /**
     * Deletes the entries of a range, as {@link BulkWrites#clear(KeyRange)} does.
     *
     * @param range the range; its limit and direction count
     * @return how many entries were deleted
     */
    CompletableFuture<Long> clear(KeyRange range);

    /**
     * Deletes the entries of at least some age, as {@link BulkWrites#sweep(Duration)} does.
     *
     * @param maxAge the time since an entry's creation
     * @return how many entries were deleted
     */
    CompletableFuture<Long> sweep(Duration maxAge);

    /**
     * Lets all live entries expire now, as {@link BulkWrites#expireAllNow()} does.
     *
     * @return how many entries there were
     */
    default CompletableFuture<Long> expireAllNow() {
        return expireAll(Expiry.now());
    }

    /**
     * Sets the ttl of all live entries, as {@link BulkWrites#expireAll(Duration)} does.
     *
     * @param ttl how long the entries live from now
     * @return how many entries there were
     */
    default CompletableFuture<Long> expireAll(Duration ttl) {
        return AsyncExpiry.with(() -> Expiry.after(ttl), expiry -> expireAll(expiry));
    }

    /**
     * Sets the expiry of all live entries, as {@link BulkWrites#expireAll(Expiry)} does.
     *
     * @param expiry when the entries expire
     * @return how many entries there were
     */
    default CompletableFuture<Long> expireAll(Expiry expiry) {
        return expireAll(KeyRange.all(), expiry);
    }

    /**
     * Sets the expiry of the live entries of a range, as {@link BulkWrites#expireAll(KeyRange, Expiry)} does.
     *
     * @param range the range; its limit and direction count
     * @param expiry when the entries expire
     * @return how many entries there were
     */
    CompletableFuture<Long> expireAll(KeyRange range, Expiry expiry);

    /**
     * Sets the expiry of live entries, as {@link BulkWrites#expireAll(Collection, Expiry)} does.
     *
     * @param keys the keys
     * @param expiry when the entries expire
     * @return how many live ones there were
     */
    CompletableFuture<Long> expireAll(Collection<String> keys, Expiry expiry);
}
