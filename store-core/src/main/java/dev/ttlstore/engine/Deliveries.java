package dev.ttlstore.engine;

import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * The committed subscribers and their deliveries, which are shared among the nodes that have a handler. A node is one open store; an
 * engine that one process owns has one node, and remembers with {@link dev.ttlstore.engine.support.HandlersSeen} when its handlers were at
 * work. A claimed delivery belongs to one node until a time, so its handler is not called on two nodes at once unless a node is late. A
 * delivery stays claimed until it is removed, its claim ends, or its node releases it.
 *
 * <p>All times are in milliseconds since the epoch. The caller passes the time of its store. An engine whose nodes
 * share a clock uses the shared one, and keeps only the distance between two given times. Each call reads one snapshot.
 * Failures are thrown as exceptions of {@code dev.ttlstore.exception}. Thread-safe.
 *
 * @since 0.1
 */
public interface Deliveries {

    /** Returned by {@link #lastSeen} if no node was seen yet. */
    long UNSEEN = Long.MIN_VALUE;

    /**
     * Lists all subscribers.
     *
     * @return the subscribers, by name
     */
    List<Subscriber> subscribers();

    /**
     * Claims deliveries that are due. Of each key it returns only the first delivery, because the next one waits for it, and none
     * that another node has claimed. Deliveries that this node has claimed before are returned again, and claimed until the new time.
     *
     * @param subscriber the name of the subscriber
     * @param now the time
     * @param until when the claims end
     * @param limit how many at most
     * @return the deliveries, the one that is due for the longest time first; empty if there are none
     */
    List<Delivery> claim(String subscriber, long now, long until, int limit);

    /**
     * Extends all claims of this node for a subscriber, or gives them up when the handler has ended, so that other nodes need not wait
     * for their end. Claims that another node has taken over since they ended stay with that node.
     *
     * @param subscriber the name of the subscriber
     * @param now the time; when the handler ended
     * @param until when the claims end; the same as {@code now} to give them up
     */
    void renew(String subscriber, long now, long until);

    /**
     * Returns when a node has last claimed or renewed for a subscriber, whether or not there were any deliveries. Deliveries without a
     * handler on any node may be dropped.
     *
     * @param subscriber the name of the subscriber
     * @return the time, on the clock of the caller's store; {@link #UNSEEN} if it is not known
     */
    long lastSeen(String subscriber);

    /**
     * Forgets what this node has in memory about a subscriber that was removed.
     *
     * @param subscriber the name of the subscriber
     */
    default void forget(String subscriber) {}

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
