package dev.ttlstore.engine;

import java.util.Collection;

/** Changes subscribers and their deliveries, within a transaction. */
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
     * Removes a subscriber, and some of its deliveries.
     *
     * @param subscriber its name
     * @param limit how many deliveries at most
     * @return whether nothing of it is left
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
     */
    void acknowledge(Collection<Long> ids);

    /**
     * Keeps what has become of deliveries that failed.
     *
     * @param updates the deliveries, those that are there still
     */
    void update(Collection<DeliveryUpdate> updates);

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
     * @param keep how many to keep
     * @return how many went
     */
    int trim(String subscriber, int keep);
}
