package dev.ttlstore;

import java.util.concurrent.CompletableFuture;

/**
 * Makes writes to several groups in one commit: all of them, or none if a condition does not hold. It suits writes that
 * you know beforehand. Others can write until {@link #write()}, which takes as long as a single write. On PostgreSQL it
 * takes one round trip, up to some hundred entries. For work that reads before it decides, use a {@linkplain
 * LiveKeyspace#transact transaction}, or read first and let the batch require the versions that you read.
 *
 * <pre>{@code
 * TextGroup carts = store.group("carts");
 * TextGroup orders = store.group("orders");
 * Entry<String> cart = carts.entry("anna").orElseThrow();
 * boolean moved = store.batch()
 *         .requireVersion(carts, "anna", cart.version())
 *         .delete(carts, "anna")
 *         .put(orders, "order-17", cart.value(), Expiry.never())
 *         .write();
 * }</pre>
 *
 * <p>The commit tests all conditions first, regardless of their place in the batch. Then it makes the writes in their
 * order, so a later write to the same entry sees the earlier one. Groups must come from the same store, scope or
 * transaction as the batch. You may mix the groups of a store and its scopes. Each method checks and encodes its
 * arguments at once, and throws if one is invalid. {@link #write()} makes the writes. Not thread-safe.
 *
 * @since 0.1
 * @see Keyspace#batch()
 * @see LiveKeyspace#transact
 * @see ConditionalWrites
 */
public interface WriteBatch {

    /**
     * Requires that an entry has a version that was read before.
     *
     * @param group the group
     * @param key the key
     * @param version the version, from {@link Entry#version()}
     * @return this batch
     */
    WriteBatch requireVersion(Group<?> group, String key, long version);

    /**
     * Requires that there is no live entry.
     *
     * @param group the group
     * @param key the key
     * @return this batch
     */
    WriteBatch requireAbsent(Group<?> group, String key);

    /**
     * Requires that there is a live entry.
     *
     * @param group the group
     * @param key the key
     * @return this batch
     */
    WriteBatch requirePresent(Group<?> group, String key);

    /**
     * Puts a value, whether or not there is a live entry.
     *
     * @param group the group
     * @param key the key
     * @param value the value
     * @param expiry when the entry expires
     * @return this batch
     * @param <V> the type of the values
     */
    <V> WriteBatch put(Group<V> group, String key, V value, Expiry expiry);

    /**
     * Deletes an entry, if there is a live one.
     *
     * @param group the group
     * @param key the key
     * @return this batch
     */
    WriteBatch delete(Group<?> group, String key);

    /**
     * Deletes an entry, if there is a live one that holds an expected value.
     *
     * @param group the group
     * @param key the key
     * @param expected the value, as in {@link ConditionalWrites#delete(String, Object)}
     * @return this batch
     * @param <V> the type of the values
     */
    <V> WriteBatch delete(Group<V> group, String key, V expected);

    /**
     * Changes the expiry of an entry, if there is a live one. Its value and version stay.
     *
     * @param group the group
     * @param key the key
     * @param expiry when the entry expires
     * @return this batch
     */
    WriteBatch expire(Group<?> group, String key, Expiry expiry);

    /**
     * Makes all writes, or none if a condition does not hold or this method throws. Returns after the listeners were
     * called. You can write the same batch again.
     *
     * @return whether all conditions held
     */
    boolean write();

    /**
     * Makes the writes as {@link #write()} does, but asynchronously. It ignores later additions to the batch.
     *
     * @return whether all conditions held, once the writes are committed
     * @throws IllegalStateException within a transaction
     */
    CompletableFuture<Boolean> writeAsync();
}
