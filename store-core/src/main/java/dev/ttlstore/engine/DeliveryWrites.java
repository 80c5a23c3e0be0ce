package dev.ttlstore.engine;

import java.util.Collection;

/**
 * Changes subscribers and their deliveries, within a transaction. Of the waiting deliveries of a key, only one has a
 * due time. When it is removed or becomes a dead letter, the next one by id gets a due time: the time of its expiry,
 * or now if its expiry is later, which happens after a clock was wrong. {@link
 * dev.ttlstore.engine.support.DeliveryLines} keeps these rules for any engine.
 */
public interface DeliveryWrites {

    /** Stands for all dead letters of a subscriber, in place of an id. */
    long ALL = 0;

    /**
     * Adds a subscriber, or changes the groups of an existing one.
     *
     * @param subscriber the subscriber
     */
    void add(Subscriber subscriber);

    /**
     * Removes some deliveries of a subscriber, and the subscriber itself if few are left. So a removal takes several
     * transactions, and the last one removes the subscriber with its last deliveries.
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
     * @param rows the expired rows, in the order of their expiry
     */
    void record(String subscriber, Collection<Row> rows);

    /**
     * Removes deliveries that are done.
     *
     * @param ids their ids
     * @param now the time
     */
    void acknowledge(Collection<Long> ids, long now);

    /**
     * Stores the new state of deliveries after a failed attempt. Ignores deliveries that no longer exist.
     *
     * @param updates the new states
     * @param now the time
     */
    void update(Collection<DeliveryUpdate> updates, long now);

    /**
     * Moves the next attempts of a subscriber's deliveries to a time, if they are due later.
     *
     * @param subscriber the subscriber
     * @param latest the time
     * @return how many were due later
     */
    int hasten(String subscriber, long latest);

    /**
     * Makes dead letters wait for an attempt again, starting with the first attempt.
     *
     * @param subscriber the subscriber
     * @param id the id of a dead letter, or {@link #ALL}
     * @param now the time
     * @return how many there were
     */
    int retry(String subscriber, long id, long now);

    /**
     * Removes dead letters.
     *
     * @param subscriber the subscriber
     * @param id the id of a dead letter, or {@link #ALL}
     * @return how many there were
     */
    int discard(String subscriber, long id);

    /**
     * Removes the oldest deliveries that wait for an attempt, down to a number that it keeps.
     *
     * @param subscriber the subscriber
     * @param keep how many to keep
     * @param limit how many to remove at most
     * @param now the time
     * @return how many were removed
     */
    int trim(String subscriber, long keep, int limit, long now);
}
