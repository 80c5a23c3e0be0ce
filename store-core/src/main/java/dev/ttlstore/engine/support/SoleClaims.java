package dev.ttlstore.engine.support;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import dev.ttlstore.engine.ClockLeap;
import dev.ttlstore.engine.Delivery;
import dev.ttlstore.engine.DeliveryClaims;
import dev.ttlstore.engine.DeliveryReads;

/**
 * The claims of an engine that one process owns. There is no other node, so everything that is due belongs to this one,
 * and nothing is stored. When the subscribers' handlers were last seen is in memory, and unknown after an opening.
 * Thread-safe.
 */
public final class SoleClaims implements DeliveryClaims {

    private final DeliveryReads reads;
    private final Map<String, Long> seen = new ConcurrentHashMap<>();

    /**
     * Creates the claims of a node that was just opened.
     *
     * @param reads reads the committed deliveries; thread-safe
     */
    public SoleClaims(DeliveryReads reads) {
        this.reads = reads;
    }

    @Override
    public List<Delivery> claim(String subscriber, long now, long until, int limit) {
        see(subscriber, now);
        return reads.due(subscriber, now, limit);
    }

    @Override
    public void renew(String subscriber, long now, long until) {
        see(subscriber, now);
    }

    @Override
    public void release(String subscriber, long now) {
        see(subscriber, now);
    }

    private void see(String subscriber, long now) {
        seen.merge(
                subscriber,
                now,
                (before, next) -> ClockLeap.isBelievable(before, next) ? Long.valueOf(Math.max(before, next)) : next);
    }

    @Override
    public long lastSeen(String subscriber) {
        return seen.getOrDefault(subscriber, UNSEEN);
    }
}
