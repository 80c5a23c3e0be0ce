package dev.ttlstore.engine;

import java.util.List;

import org.jspecify.annotations.Nullable;

/** Reads subscribers and their deliveries. What a call answers is of one moment. */
public interface DeliveryReads {

    /**
     * Lists all subscribers.
     *
     * @return the subscribers, by name
     */
    List<Subscriber> subscribers();

    /**
     * Reads deliveries that are to be tried, of each key the first alone: the next one has to wait for it.
     *
     * @param subscriber the subscriber
     * @param now the time
     * @param limit how many at most
     * @return the deliveries, those that are due for the longest time first
     */
    List<Delivery> due(String subscriber, long now, int limit);

    /**
     * Reads the value that a row had.
     *
     * @param id the delivery
     * @return the value; null if the delivery is gone
     */
    byte @Nullable [] value(long id);

    /**
     * When a delivery will be due next.
     *
     * @param subscriber the subscriber
     * @param now the time
     * @return the first time after {@code now}; {@link Row#NEVER} if there is none
     */
    long nextAfter(String subscriber, long now);

    /**
     * Lists dead letters.
     *
     * @param subscriber the subscriber
     * @param after the id to go on after; 0 to begin
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
     * Counts the deliveries that are to be tried.
     *
     * @param subscriber the subscriber
     * @return how many there are
     */
    long countPending(String subscriber);

    /**
     * Counts. The cost grows with the number of deliveries.
     *
     * @param subscriber the subscriber
     * @return what there is
     */
    Backlog backlog(String subscriber);
}
