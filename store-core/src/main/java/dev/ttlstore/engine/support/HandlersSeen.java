package dev.ttlstore.engine.support;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import dev.ttlstore.engine.ClockLeap;
import dev.ttlstore.engine.Deliveries;

/**
 * When the handlers of subscribers were last at work, in an engine that one process owns. There is no other node, so everything that is
 * due belongs to this one, and nothing is stored. After an opening nothing is known. Thread-safe.
 *
 * @since 0.1
 */
public final class HandlersSeen {

    private final Map<String, Long> seen = new ConcurrentHashMap<>();

    /** Creates what a node knows that was just opened. */
    public HandlersSeen() {}

    /**
     * Notes that a handler is at work.
     *
     * @param subscriber the name of the subscriber
     * @param now the time, in milliseconds since the epoch
     */
    public void see(String subscriber, long now) {
        seen.merge(
                subscriber,
                now,
                (before, next) -> ClockLeap.isBelievable(before, next) ? Long.valueOf(Math.max(before, next)) : next);
    }

    /**
     * Forgets a subscriber that was removed.
     *
     * @param subscriber the name of the subscriber
     */
    public void forget(String subscriber) {
        Long unused = seen.remove(subscriber);
    }

    /**
     * Returns when a handler was last at work.
     *
     * @param subscriber the name of the subscriber
     * @return the time; {@link Deliveries#UNSEEN} if it is not known
     */
    public long lastSeen(String subscriber) {
        return seen.getOrDefault(subscriber, Deliveries.UNSEEN);
    }
}
