package dev.ttlstore.engine.support;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;

import dev.ttlstore.engine.DeliveryCommand;
import dev.ttlstore.engine.DeliveryCommand.DeliveryUpdate;
import dev.ttlstore.engine.GroupRange;
import dev.ttlstore.engine.Row;
import dev.ttlstore.engine.RowKey;
import dev.ttlstore.engine.Subscriber;

/**
 * The stored subscribers and deliveries, within a transaction. An engine implements this. {@link DeliveryLines} decides which delivery of a line comes next. The methods
 * here only find and change rows.
 *
 * <p>A delivery is in one of three states. It waits and has the time of its next attempt, or it waits and is parked,
 * or it is a dead letter. A new delivery gets a higher id than all others, and no id is used twice.
 *
 * <p>All times are in milliseconds since the epoch. Collections may be empty, and then nothing happens. Failures are
 * thrown as exceptions of {@code dev.ttlstore.exception}. Used by one thread at a time.
 *
 * @since 0.1
 */
public interface DeliveryTable {

    /**
     * The deliveries of one key to one subscriber.
     *
     * @param subscriber the name of the subscriber
     * @param key the name of the expired row
     */
    record Line(String subscriber, RowKey key) {}

    /**
     * A delivery that waits.
     *
     * @param line its line
     * @param id its id
     * @param expiresAt when its row expired
     */
    record Waiting(Line line, long id, long expiresAt) {}

    /**
     * A delivery that was removed while it waited.
     *
     * @param line its line
     * @param timed whether it had a time; false if it was parked
     */
    record Removed(Line line, boolean timed) {}

    /**
     * Adds a subscriber, or changes the groups of an existing one.
     *
     * @param subscriber the subscriber
     */
    void add(Subscriber subscriber);

    /**
     * Removes a subscriber. Does nothing if there is none of this name.
     *
     * @param subscriber its name
     */
    void removeSubscriber(String subscriber);

    /**
     * Inserts a delivery for each row. It waits, has had no attempt, and its time is the expiry of the row.
     *
     * @param subscriber the name of the subscriber
     * @param rows the expired rows; ids follow their order
     * @return a mark that separates the deliveries before from these and later ones, for {@link #behind} in this transaction. Its
     *     meaning is private to the table
     */
    long insert(String subscriber, Collection<Row> rows);

    /**
     * Finds the new deliveries that are not the first of their line.
     *
     * @param mark what {@link #insert} has returned in this transaction
     * @return the ids of the deliveries inserted since then whose line has a waiting delivery with a lower id, in any order
     */
    List<Long> behind(long mark);

    /**
     * Finds the first waiting delivery of each line. The cost does not grow with the length of a line.
     *
     * @param lines the lines
     * @return for each line with waiting deliveries the one with the lowest id, in any order
     */
    List<Waiting> first(Set<Line> lines);

    /**
     * Gives times to waiting deliveries, or parks them.
     *
     * @param times the time of the next attempt, by id; {@link Row#NEVER} to park one
     */
    void schedule(Map<Long, Long> times);

    /**
     * Removes deliveries that have a time. Ignores ids that do not exist, and those of other deliveries.
     *
     * @param ids the ids
     * @return the lines of the removed deliveries
     */
    Set<Line> remove(Collection<Long> ids);

    /**
     * Stores the state of deliveries that have a time: attempts, error, and the next time, where {@link Row#NEVER}
     * makes a dead letter. Ignores ids that do not exist, and those of other deliveries.
     *
     * @param updates the new states
     * @return the lines of the changed deliveries, by id
     */
    Map<Long, Line> update(Collection<DeliveryUpdate> updates);

    /**
     * Moves later times to an earlier one. Parked deliveries stay parked.
     *
     * @param subscriber the name of the subscriber
     * @param latest the time
     * @return how many deliveries had a later time
     */
    int hasten(String subscriber, long latest);

    /**
     * Finds dead letters.
     *
     * @param subscriber the name of the subscriber
     * @param id the id of a dead letter, or {@link DeliveryCommand#ALL}
     * @return their lines, by id
     */
    Map<Long, Line> dead(String subscriber, long id);

    /**
     * Makes dead letters wait, parked and without any attempts so far.
     *
     * @param ids their ids
     */
    void revive(Collection<Long> ids);

    /**
     * Removes dead letters.
     *
     * @param subscriber the name of the subscriber
     * @param id the id of a dead letter, or {@link DeliveryCommand#ALL}
     * @return how many there were
     */
    int removeDead(String subscriber, long id);

    /**
     * Counts the deliveries that wait, with a time or parked.
     *
     * @param subscriber the name of the subscriber
     * @return how many there are
     */
    long countWaiting(String subscriber);

    /**
     * Removes the waiting deliveries whose rows expired first; of rows that expired together, those with lower ids.
     *
     * @param subscriber the name of the subscriber
     * @param limit how many at most
     * @return the removed deliveries
     */
    List<Removed> removeOldest(String subscriber, int limit);

    /**
     * Removes deliveries in any state whose rows were in some groups: parked ones before those with a time. So no
     * parked delivery is left without the one that it waits for.
     *
     * @param subscriber the name of the subscriber
     * @param groups the groups
     * @param limit how many at most
     * @return how many were removed
     */
    int remove(String subscriber, GroupRange groups, int limit);
}
