package dev.ttlstore.engine;

import java.util.List;

import org.jspecify.annotations.Nullable;

/** Reads subscribers and their deliveries. Each call reads one snapshot. */
public interface DeliveryReads {

    /**
     * Lists all subscribers.
     *
     * @return the subscribers, by name
     */
    List<Subscriber> subscribers();

    /**
     * Reads deliveries that are due, whichever node has claimed them. Of each key it reads only the first delivery,
     * because the next one waits for it.
     *
     * @param subscriber the subscriber
     * @param now the time
     * @param limit how many at most
     * @return the deliveries, the one that is due for the longest time first
     */
    List<Delivery> due(String subscriber, long now, int limit);

    /**
     * Reads the key and the value that a row had.
     *
     * @param id the delivery
     * @return both; null if the delivery no longer exists
     */
    @Nullable
    KeyValue value(long id);

    /**
     * Returns when the next delivery will be due.
     *
     * @param subscriber the subscriber
     * @param now the time
     * @return the first due time after {@code now}; {@link Row#NEVER} if there is none
     */
    long nextAfter(String subscriber, long now);

    /**
     * Lists dead letters.
     *
     * @param subscriber the subscriber
     * @param after the id after which the list starts; 0 for the first
     * @param limit how many at most
     * @return the next dead letters, by id
     */
    List<Delivery> dead(String subscriber, long after, int limit);

    /**
     * Counts dead letters.
     *
     * @param subscriber the subscriber
     * @return how many there are
     */
    long countDead(String subscriber);

    /**
     * Counts the deliveries that wait for an attempt.
     *
     * @param subscriber the subscriber
     * @return how many there are
     */
    long countPending(String subscriber);

    /**
     * Counts a subscriber's deliveries. The cost grows with their number.
     *
     * @param subscriber the subscriber
     * @return the figures
     */
    Backlog backlog(String subscriber);

    /**
     * Figures about a subscriber's deliveries.
     *
     * @param pending how many deliveries wait for an attempt
     * @param oldest the earliest expiry among them, in milliseconds since the epoch; {@link Row#NEVER} if there is none
     * @param dead how many deliveries are dead letters
     */
    record Backlog(long pending, long oldest, long dead) {}
}
