package dev.ttlstore.engine;

import java.util.Collection;

import org.jspecify.annotations.Nullable;

/**
 * Changes subscribers and their deliveries. Of the waiting deliveries of a key, only one has a due time. When it is removed or becomes a dead
 * letter, the next one by id gets a due time: the time of its expiry, or now if its expiry is later, which happens after a clock was wrong.
 *
 * @param <R> the type of the result
 * @since 0.1
 */
public sealed interface DeliveryCommand<R> extends Command<R> {

    /** Stands for all dead letters of a subscriber, in place of an id. */
    long ALL = 0;

    /**
     * Adds a subscriber, or changes the groups of an existing one.
     *
     * @param subscriber the subscriber
     */
    record Subscribe(Subscriber subscriber) implements DeliveryCommand<Boolean> {}

    /**
     * Removes some deliveries of a subscriber, and the subscriber itself if few are left. Returns whether it did the latter. So a removal takes
     * several commits, and the last one removes the subscriber with its last deliveries.
     *
     * @param subscriber its name
     * @param limit how many deliveries at most
     */
    record Unsubscribe(String subscriber, int limit) implements DeliveryCommand<Boolean> {}

    /**
     * Removes some deliveries of a subscriber whose rows were in some groups, also dead letters. Returns how many were removed.
     *
     * @param subscriber its name
     * @param groups the groups
     * @param limit how many at most
     */
    record Erase(String subscriber, GroupRange groups, int limit) implements DeliveryCommand<Integer> {}

    /**
     * Removes deliveries that are done, and stores the new state of others after a failed attempt. Ignores deliveries that no longer exist.
     *
     * @param done the ids of those that are done
     * @param failed the new states of others
     * @param now the time
     */
    record Acknowledge(Collection<Long> done, Collection<DeliveryUpdate> failed, long now)
            implements DeliveryCommand<Boolean> {}

    /**
     * Moves the next attempts of a subscriber's deliveries to a time, if they are due later. Returns how many were.
     *
     * @param subscriber the subscriber
     * @param latest the time
     */
    record Hasten(String subscriber, long latest) implements DeliveryCommand<Integer> {}

    /**
     * Makes dead letters wait for an attempt again, starting with the first attempt. Returns how many there were.
     *
     * @param subscriber the subscriber
     * @param id the id of a dead letter, or {@link #ALL}
     * @param now the time
     */
    record Retry(String subscriber, long id, long now) implements DeliveryCommand<Integer> {}

    /**
     * Removes dead letters. Returns how many there were.
     *
     * @param subscriber the subscriber
     * @param id the id of a dead letter, or {@link #ALL}
     */
    record Discard(String subscriber, long id) implements DeliveryCommand<Integer> {}

    /**
     * Removes the oldest deliveries that wait for an attempt, down to a number that it keeps. Returns how many were removed.
     *
     * @param subscriber the subscriber
     * @param keep how many to keep
     * @param limit how many to remove at most
     * @param now the time
     */
    record Trim(String subscriber, long keep, int limit, long now) implements DeliveryCommand<Integer> {}

    /**
     * The new state of a delivery after a failed attempt.
     *
     * @param id the id of the delivery
     * @param attempts how many attempts there were, including this one
     * @param nextAt when the next attempt is due; {@link Row#NEVER} to make it a dead letter
     * @param error the exception
     */
    record DeliveryUpdate(
            long id, int attempts, long nextAt, @Nullable String error) {}
}
