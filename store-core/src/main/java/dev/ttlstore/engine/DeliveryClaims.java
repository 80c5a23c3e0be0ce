package dev.ttlstore.engine;

import java.util.List;

/**
 * Shares the deliveries of each subscriber among the nodes that have a handler for it. A node is one open store; an
 * engine that one process owns has one node. A claimed delivery belongs to one node until a time, so its handler is
 * not called on two nodes at once unless a node is late. A delivery stays claimed until it is removed, its claim
 * ends, or its node releases it.
 *
 * <p>The engine also remembers when any node was last seen at work for a subscriber, because deliveries without a
 * handler on any node may be dropped.
 *
 * <p>All times are in milliseconds since the epoch. The caller passes the time of its store; an engine with a clock
 * that all nodes share uses that one, and keeps only the distance between two times that it is given. Failures are
 * thrown as exceptions of {@code dev.ttlstore.exception}. Thread-safe.
 */
public interface DeliveryClaims {

    /** Returned by {@link #lastSeen} if no node was seen yet. */
    long UNSEEN = Long.MIN_VALUE;

    /**
     * Claims deliveries that are due. Returns only the first delivery of each key, and none that another node has
     * claimed. Deliveries that this node has claimed before are returned again, and claimed until the new time.
     *
     * @param subscriber the name of the subscriber
     * @param now the time
     * @param until when the claims end
     * @param limit how many at most
     * @return the deliveries, the one that is due for the longest time first; empty if there are none
     */
    List<Delivery> claim(String subscriber, long now, long until, int limit);

    /**
     * Extends all claims of this node for a subscriber. Claims that another node has taken over since they ended stay
     * with that node.
     *
     * @param subscriber the name of the subscriber
     * @param now the time
     * @param until when the claims end
     */
    void renew(String subscriber, long now, long until);

    /**
     * Gives up all claims of this node for a subscriber, so that other nodes need not wait for their end. Called when
     * the handler has ended. Does nothing to the claims of other nodes.
     *
     * @param subscriber the name of the subscriber
     * @param now when the handler ended
     */
    void release(String subscriber, long now);

    /**
     * Returns when a node has last claimed, renewed or released for a subscriber, whether or not there were any
     * deliveries.
     *
     * @param subscriber the name of the subscriber
     * @return the time, on the clock of the caller's store; {@link #UNSEEN} if it is not known
     */
    long lastSeen(String subscriber);
}
