package dev.ttlstore.internal.watch;

import java.util.List;
import java.util.function.UnaryOperator;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.event.StoreEvent;

/**
 * The last events, for watches that resume. It begins with the first watch, so that stores without watches pay nothing.
 * Used under the lock that orders the feeding of watches, except for {@link #isActive}, {@link #committed}, {@link #passed} and
 * {@link #missed}, which are called in the order of the commits, before the events are fed.
 */
sealed interface EventHistory permits OwnedHistory, SharedHistory {

    /**
     * Creates an empty history.
     *
     * @param capacity how many events it holds at most; zero for no history
     * @param orders names the order within which the numbers of a group's events rise, given its full name, or the prefix of several
     *     groups, empty for all; an empty name says that these are in several. Numbers of different orders say nothing about each
     *     other. Called for each event, by any thread. Null for one order: the numbers rise across the whole store
     */
    static EventHistory of(int capacity, @Nullable UnaryOperator<String> orders) {
        return orders == null ? new OwnedHistory(capacity) : new SharedHistory(capacity, orders);
    }

    /**
     * Keeps the events from now on.
     *
     * @param from a number that was handed out to the reader: events of what it watches that are committed later have
     *     larger ones; {@link Long#MIN_VALUE} if there is none
     * @param watched the full name of the group that is watched, or the prefix of several
     */
    void activate(long from, String watched);

    /** Notes the numbers of a commit before anybody can read them. */
    void committed(List<StoreEvent> commit);

    /** Tests whether the last number of a commit says enough of it while nobody gets its events: all numbers have one order. */
    boolean isOrdered();

    /** Notes the last number of a commit whose events nobody gets, because they are left out, or nobody asks for them. */
    void passed(long sequence);

    /** Notes that events of other processes never arrived, with numbers that nobody knows. */
    void missed();

    boolean isActive();

    /** Keeps an event that is being fed, which has no value. */
    void add(StoreEvent event);

    /** Forgets everything, because events never arrived, or could not be kept. Needs no memory. */
    void lost();

    /** Tests whether a number can be one of what is watched, since this store was opened. Others are of another store. */
    boolean isReached(long sequence, String watched);

    /** Tests whether all events of what is watched that come after a sequence are here, or will come. */
    boolean isCompleteAfter(long sequence, String watched);

    /** Returns the events after a sequence that are here; it may include some that are not watched. */
    List<StoreEvent> after(long sequence, String watched);
}
