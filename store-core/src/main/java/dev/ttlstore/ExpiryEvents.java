package dev.ttlstore;

import java.util.List;

import dev.ttlstore.event.Subscription;
import dev.ttlstore.exception.CodecException;
import dev.ttlstore.expiry.DeadLetters;
import dev.ttlstore.expiry.ExpiryHandler;
import dev.ttlstore.expiry.ExpirySubscriber;

/**
 * Runs handlers at least once for each expired entry, across restarts. A handler belongs to a subscriber, which has a
 * name and is stored with the data. From its first subscription on, the transaction that deletes an expired entry also
 * records the expiry for each subscriber of the entry's group. The record stays until the subscriber's handler has
 * returned. So the handler also gets the entries that expire while the process is down, or while no handler is
 * registered. Handlers must be idempotent.
 *
 * <pre>{@code
 * record Invite(String mail) {}
 *
 * store.onExpired("invitation-mail", "invites", Invite.class, invite -> log.info("Remind {}", invite.value().mail()));
 * }</pre>
 *
 * <p>The store delivers expiries on time and in the order in which the entries expired. It delivers several at once,
 * but never two of the same key. If a handler throws, the store retries that expiry later and goes on with the others.
 * After the last attempt, the expiry becomes a dead letter. A retry comes before the waiting expiries of the same key.
 * {@link StoreBuilder#expiry} sets concurrency, attempts, delays and time limits. {@link
 * Store#onExpiredMatching(String, GroupPattern, Class, ExpiryHandler)} subscribes to a group of every scope.
 *
 * <p>If a value cannot be decoded, or the cipher of its group cannot open it, each attempt fails, so the expiry becomes
 * a dead letter. A handler that does not need the value takes {@code Void.class} as its type. It gets null as the value
 * of every entry, and the store neither decrypts nor decodes the value.
 *
 * <pre>{@code
 * Counters ended = store.counters("ended");
 * store.onExpired("invitation-count", "invites", Void.class, invite -> ended.increment(invite.group()));
 * }</pre>
 *
 * <p>The backlog of a subscriber is bounded only while its handler is missing. After 5 minutes without a handler,
 * counted from the opening of the store or the end of the subscription, the store drops the oldest expiries above the
 * bound.
 *
 * <p>Handlers run in threads of the store. {@link Store#close} waits for running handlers, for at most 10 seconds.
 * Thread-safe.
 *
 * @since 0.1
 * @see dev.ttlstore.expiry.ExpiryHandler
 * @see dev.ttlstore.expiry.ExpirySettings
 * @see dev.ttlstore.expiry.DeadLetters
 * @see GroupPattern
 */
public interface ExpiryEvents {

    /**
     * Registers a handler for each entry of a group that expires, with the value as text.
     *
     * @param subscriber the name of the subscriber, 1 to 1,024 bytes of UTF-8 without a colon; use the same name after
     *     each start of the program
     * @param group the group's name; no character has a special meaning
     * @param handler the handler
     * @return the subscription. Closing it stops the calls; the subscriber stays, and later expiries wait for its next
     *     subscription
     * @throws IllegalStateException if the subscriber already has a handler, or is being removed
     */
    default Subscription onExpired(String subscriber, String group, ExpiryHandler<String> handler) {
        return onExpired(subscriber, group, Codec.text(), handler);
    }

    /**
     * Registers a handler for each entry of a group that expires.
     *
     * @param subscriber the name of the subscriber, as in {@link #onExpired(String, String, ExpiryHandler)}
     * @param group the group's name
     * @param type the class of the values, as in {@link Keyspace#group(String, Class)}; {@code Void.class} for entries
     *     without their values
     * @param handler the handler
     * @return the subscription
     * @param <V> the type of the values
     * @throws IllegalStateException if the subscriber already has a handler, or is being removed
     * @throws CodecException if there is no codec for the class
     */
    default <V> Subscription onExpired(String subscriber, String group, Class<V> type, ExpiryHandler<V> handler) {
        return onExpired(subscriber, group, TypeRef.ofClass(type), handler);
    }

    /**
     * Registers a handler for each entry of a group that expires, with values of a generic type.
     *
     * @param subscriber the name of the subscriber, as in {@link #onExpired(String, String, ExpiryHandler)}
     * @param group the group's name
     * @param type the type of the values, as in {@link Keyspace#group(String, TypeRef)}
     * @param handler the handler
     * @return the subscription
     * @param <V> the type of the values
     * @throws IllegalStateException if the subscriber already has a handler, or is being removed
     * @throws CodecException if there is no codec for the type
     */
    <V> Subscription onExpired(String subscriber, String group, TypeRef<V> type, ExpiryHandler<V> handler);

    /**
     * Registers a handler for each entry of a group that expires.
     *
     * @param subscriber the name of the subscriber, as in {@link #onExpired(String, String, ExpiryHandler)}
     * @param group the group's name
     * @param codec decodes the values; a value that it cannot decode counts as a failure of the handler
     * @param handler the handler
     * @return the subscription
     * @param <V> the type of the values
     * @throws IllegalStateException if the subscriber already has a handler, or is being removed
     */
    <V> Subscription onExpired(String subscriber, String group, Codec<V> codec, ExpiryHandler<V> handler);

    /**
     * Registers a handler for each entry that expires in a group whose name starts with a prefix.
     *
     * @param subscriber the name of the subscriber, as in {@link #onExpired(String, String, ExpiryHandler)}
     * @param prefix the prefix; empty for all groups
     * @param type the class of the values; {@code Void.class} for entries without their values
     * @param handler the handler
     * @return the subscription
     * @param <V> the type of the values
     * @throws IllegalStateException if the subscriber already has a handler, or is being removed
     * @throws CodecException if there is no codec for the class
     */
    default <V> Subscription onExpiredPrefix(
            String subscriber, String prefix, Class<V> type, ExpiryHandler<V> handler) {
        return onExpiredPrefix(subscriber, prefix, TypeRef.ofClass(type), handler);
    }

    /**
     * Registers a handler for each entry that expires in a group whose name starts with a prefix, with values of a
     * generic type.
     *
     * @param subscriber the name of the subscriber, as in {@link #onExpired(String, String, ExpiryHandler)}
     * @param prefix the prefix; empty for all groups
     * @param type the type of the values, as in {@link Keyspace#group(String, TypeRef)}
     * @param handler the handler
     * @return the subscription
     * @param <V> the type of the values
     * @throws IllegalStateException if the subscriber already has a handler, or is being removed
     * @throws CodecException if there is no codec for the type
     */
    <V> Subscription onExpiredPrefix(String subscriber, String prefix, TypeRef<V> type, ExpiryHandler<V> handler);

    /**
     * Registers a handler for each entry that expires in a group whose name starts with a prefix.
     *
     * @param subscriber the name of the subscriber, as in {@link #onExpired(String, String, ExpiryHandler)}
     * @param prefix the prefix; empty for all groups
     * @param codec decodes the values
     * @param handler the handler
     * @return the subscription
     * @param <V> the type of the values
     * @throws IllegalStateException if the subscriber already has a handler, or is being removed
     */
    <V> Subscription onExpiredPrefix(String subscriber, String prefix, Codec<V> codec, ExpiryHandler<V> handler);

    /**
     * Returns the dead letters of a subscriber.
     *
     * @param subscriber the name of the subscriber, which need not exist
     * @return its dead letters; none if the subscriber does not exist
     */
    DeadLetters deadLetters(String subscriber);

    /**
     * Returns all subscribers and their progress, including those without a handler. The cost grows with the number of
     * waiting expiries.
     *
     * @return the subscribers, by name
     */
    List<ExpirySubscriber> expirySubscribers();

    /**
     * Deletes a subscriber with its waiting expiries and dead letters. If the thread is interrupted, the subscriber
     * stays, with the records that were not deleted yet. While this method runs, nobody can subscribe under this name.
     *
     * @param subscriber the name of the subscriber
     * @return false if there is no subscriber of this name
     * @throws IllegalStateException if the subscriber has a handler (close its subscription first), or if another call
     *     removes it
     */
    boolean removeExpirySubscriber(String subscriber);
}
