package dev.ttlstore;

import java.util.concurrent.CompletableFuture;

/**
 * Writes to entries of several groups in one commit: all of them, or none. Conditions can say when it is none. A batch is for writes
 * that are known beforehand. It locks nobody out while it is put together, and takes as long as a single write; with a server, two
 * round trips, however many entries it has. Work that reads first, and then decides, is a {@linkplain LiveKeyspace#transact transaction};
 * or it reads, and a batch then requires the versions that it has read.
 *
 * <pre>{@code
 * boolean moved = store.batch()
 *         .requireVersion(carts, "anna", cart.version())
 *         .delete(carts, "anna")
 *         .put(orders, number, order, Expiry.never())
 *         .write();
 * }</pre>
 *
 * <p>Conditions are tested first, in the commit itself, whatever their place in the batch. Then the writes are made in their order, so a
 * later write to the same entry sees the earlier one. Groups must come from the same store, scope or transaction as the batch; those of a
 * scope and its store may be mixed. What is added is checked and encoded at once, so a bad argument throws there. Nothing is written
 * before {@link #write()}. Not thread-safe.
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
     * Makes all writes, or none if a condition does not hold, or if it throws. Returns after the listeners were called. A batch can be
     * written again.
     *
     * @return whether all conditions held
     */
    boolean write();

    /**
     * Does what {@link #write()} does, asynchronously. What is added to the batch later does not belong to it.
     *
     * @return whether all conditions held, once the writes are committed
     * @throws IllegalStateException within a transaction
     */
    CompletableFuture<Boolean> writeAsync();
}
