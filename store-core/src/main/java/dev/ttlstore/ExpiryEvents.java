package dev.ttlstore;

import java.util.List;

import dev.ttlstore.event.Subscription;
import dev.ttlstore.exception.CodecException;
import dev.ttlstore.expiry.DeadLetters;
import dev.ttlstore.expiry.ExpiryHandler;
import dev.ttlstore.expiry.ExpirySubscriber;

/**
 * Doing something when entries expire, and being sure that it is done. A subscriber has a name and is kept with the data: from
 * its first subscription on, each expiry in its groups is recorded for it in the transaction that removes the entry, and
 * stays recorded until its handler has returned. So it is told at least once of each, also of what expires while the process
 * is down or its handler is not there.
 *
 * <pre>{@code
 * store.onExpired("invitation-mail", "invites", Invite.class, invite -> mail.sendReminder(invite.value()));
 * }</pre>
 *
 * <p>Expiries are handed over on time and in the order in which the entries expired; several at once, but those of one key one
 * after the other. When a handler throws, that expiry is tried again later, while others go on; after some attempts it is a
 * dead letter. One that is tried again comes before those of its key that wait. Concurrency, attempts, delays and time limits
 * are those of {@link StoreBuilder#expiry}.
 *
 * <p>A value that cannot be decoded, or does not open where its group is encrypted, fails each attempt, and so becomes a dead
 * letter. A handler that can do without the value takes {@code Void.class} for its type: it gets every entry with null for
 * the value, which is then neither opened nor decoded.
 *
 * <pre>{@code
 * store.onExpired("invitation-count", "invites", Void.class, invite -> ended.increment());
 * }</pre>
 *
 * <p>What waits for a handler is kept up to a bound; beyond it the oldest are dropped, but only when the handler has not been
 * there for 5 minutes since the store was opened, or its subscription closed.
 *
 * <p>Handlers run in threads of the store's own. {@link Store#close} waits for those that run, up to 10 seconds. Thread-safe.
 */
public interface ExpiryEvents {

    /**
     * Has a handler called for each entry of a group that expires, with the value as text.
     *
     * @param subscriber the name of the subscriber, 1 to 1,024 bytes of UTF-8 without a colon: the same after each start of
     *     the program
     * @param group the group's name; no character has a special meaning
     * @param handler what to call
     * @return ends the calls; the subscriber stays, and what expires meanwhile waits for its next subscription
     * @throws IllegalStateException if the subscriber has a handler already, or is being removed
     */
    default Subscription onExpired(String subscriber, String group, ExpiryHandler<String> handler) {
        return onExpired(subscriber, group, Codec.text(), handler);
    }

    /**
     * Has a handler called for each entry of a group that expires.
     *
     * @param subscriber the name of the subscriber, as in {@link #onExpired(String, String, ExpiryHandler)}
     * @param group the group's name
     * @param type the class of the values, as in {@link Keyspace#group(String, Class)}; {@code Void.class} for entries
     *     without their values
     * @param handler what to call
     * @return ends the calls
     * @param <V> the type of the values
     * @throws IllegalStateException if the subscriber has a handler already, or is being removed
     * @throws CodecException if there is no codec for the class
     */
    <V> Subscription onExpired(String subscriber, String group, Class<V> type, ExpiryHandler<V> handler);

    /**
     * Has a handler called for each entry of a group that expires.
     *
     * @param subscriber the name of the subscriber, as in {@link #onExpired(String, String, ExpiryHandler)}
     * @param group the group's name
     * @param codec decodes the values; an expiry whose value it cannot decode is treated as if the handler had thrown
     * @param handler what to call
     * @return ends the calls
     * @param <V> the type of the values
     * @throws IllegalStateException if the subscriber has a handler already, or is being removed
     */
    <V> Subscription onExpired(String subscriber, String group, Codec<V> codec, ExpiryHandler<V> handler);

    /**
     * Has a handler called for each entry that expires in a group whose name begins in some way.
     *
     * @param subscriber the name of the subscriber, as in {@link #onExpired(String, String, ExpiryHandler)}
     * @param prefix how the names begin; empty for all groups
     * @param type the class of the values; {@code Void.class} for entries without their values
     * @param handler what to call
     * @return ends the calls
     * @param <V> the type of the values
     * @throws IllegalStateException if the subscriber has a handler already, or is being removed
     * @throws CodecException if there is no codec for the class
     */
    <V> Subscription onExpiredPrefix(String subscriber, String prefix, Class<V> type, ExpiryHandler<V> handler);

    /**
     * Has a handler called for each entry that expires in a group whose name begins in some way.
     *
     * @param subscriber the name of the subscriber, as in {@link #onExpired(String, String, ExpiryHandler)}
     * @param prefix how the names begin; empty for all groups
     * @param codec decodes the values
     * @param handler what to call
     * @return ends the calls
     * @param <V> the type of the values
     * @throws IllegalStateException if the subscriber has a handler already, or is being removed
     */
    <V> Subscription onExpiredPrefix(String subscriber, String prefix, Codec<V> codec, ExpiryHandler<V> handler);

    /**
     * The dead letters of a subscriber.
     *
     * @param subscriber the name of the subscriber; of one that does not exist there are none
     * @return its dead letters
     */
    DeadLetters deadLetters(String subscriber);

    /**
     * Lists the subscribers and how far each has come, those whose handler is not there as well. The cost grows with the
     * number of expiries that wait.
     *
     * @return the subscribers, by name
     */
    List<ExpirySubscriber> expirySubscribers();

    /**
     * Removes a subscriber for good, with all that has been recorded for it, its dead letters too. When this is cut short,
     * the subscriber is still there with what is left; until it is done none of its name can be subscribed.
     *
     * @param subscriber the name of the subscriber
     * @return false if there is none of this name
     * @throws IllegalStateException if its handler is there: close its subscription first; or if another removes it
     */
    boolean removeExpirySubscriber(String subscriber);
}
