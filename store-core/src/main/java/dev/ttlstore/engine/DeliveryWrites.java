package dev.ttlstore.engine;

import java.util.Collection;

/**
 * Changes subscribers and their deliveries, within a transaction. Of the deliveries of a key that are to be tried one alone
 * has a time for it; when it goes, or becomes a dead letter, the next one by id gets one: the time of its expiry, or now if
 * that is later, as it may be by a clock that was wrong.
 */
public interface DeliveryWrites {

    /** In place of an id: all dead letters of a subscriber. */
    long ALL = 0;

    /**
     * Adds a subscriber, or gives one of its name other groups.
     *
     * @param subscriber the subscriber
     */
    void add(Subscriber subscriber);

    /**
     * Removes a subscriber once it has few deliveries, and before that some of these: so a removal is of several
     * transactions, of which the last takes the subscriber and the rest.
     *
     * @param subscriber its name
     * @param limit how many deliveries at most
     * @return whether the subscriber was removed
     */
    boolean remove(String subscriber, int limit);

    /**
     * Records expiries.
     *
     * @param subscriber the name of the subscriber
     * @param rows the rows that have expired, in the order of their expiry
     */
    void record(String subscriber, Collection<Row> rows);

    /**
     * Removes deliveries that are done with.
     *
     * @param ids which
     * @param now the time
     */
    void acknowledge(Collection<Long> ids, long now);

    /**
     * Keeps what has become of deliveries that failed.
     *
     * @param updates the deliveries, those that are there still
     * @param now the time
     */
    void update(Collection<DeliveryUpdate> updates, long now);

    /**
     * Has no delivery wait longer than to some time for its next attempt.
     *
     * @param subscriber the subscriber
     * @param latest the time
     * @return how many would have waited longer
     */
    int hasten(String subscriber, long latest);

    /**
     * Has dead letters tried again, from the first attempt on.
     *
     * @param subscriber the subscriber
     * @param id which, or {@link #ALL}
     * @param now the time
     * @return how many there were
     */
    int retry(String subscriber, long id, long now);

    /**
     * Removes dead letters.
     *
     * @param subscriber the subscriber
     * @param id which, or {@link #ALL}
     * @return how many there were
     */
    int discard(String subscriber, long id);

    /**
     * Removes the oldest of the deliveries that are to be tried.
     *
     * @param subscriber the subscriber
     * @param limit how many at most
     * @param now the time
     * @return how many went
     */
    int trim(String subscriber, int limit, long now);
}
