package dev.ttlstore.internal.delivery;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Predicate;

import dev.ttlstore.engine.Deliveries;
import dev.ttlstore.engine.Delivery;
import dev.ttlstore.engine.StoreClock;

/**
 * The claims of this node: makes them, extends them while deliveries are in hand, and gives them up when a handler
 * has ended and its last call is over. Handlers begin and end in any thread; everything else is done by one thread.
 */
final class Leases {

    /** A claim is renewed after this part of its time, so that two renewals may fail before it ends. */
    private static final int RENEWED_AFTER = 4;

    private static final long NOT_ENDED = Long.MIN_VALUE;

    /** Stands for a wait that only a signal ends. */
    static final long FOR_EVER = Long.MAX_VALUE;

    private final Deliveries claims;
    private final StoreClock clock;
    private final long leaseMillis;
    private final long renewNanos;
    private final LongSupplier nanoTime;

    /** The subscribers whose claims are not released yet, and when their handlers ended. */
    private final Map<String, Long> held = new ConcurrentHashMap<>();

    /** From when the oldest claim in hand lasts; used only by one thread. */
    private final Map<String, Long> begun = new HashMap<>();

    /**
     * Creates leases.
     *
     * @param claims gives deliveries to this node
     * @param leaseMillis how long a claim lasts, in milliseconds
     * @param clock the store's time
     * @param nanoTime measures the age of claims
     */
    Leases(Deliveries claims, long leaseMillis, StoreClock clock, LongSupplier nanoTime) {
        this.claims = claims;
        this.clock = clock;
        this.leaseMillis = leaseMillis;
        this.renewNanos = TimeUnit.MILLISECONDS.toNanos(leaseMillis) / RENEWED_AFTER;
        this.nanoTime = nanoTime;
    }

    /** Notes that a handler has begun; called after its queue knows it. */
    void handlerBegun(String subscriber) {
        held.put(subscriber, NOT_ENDED);
    }

    /** Notes that a handler ends now; called before its queue knows it. */
    void handlerEnds(String subscriber) {
        held.put(subscriber, clock.now());
    }

    /** Tests whether a subscriber has a handler, or had one whose claims are not released yet. */
    boolean isHeld(String subscriber) {
        return held.containsKey(subscriber);
    }

    /** Forgets a subscriber that was removed, and has nothing to give up. */
    void forget(String subscriber) {
        Long unused = held.remove(subscriber);
        claims.forget(subscriber);
    }

    /** Forgets the age of claims of subscribers without a queue. */
    void retain(Predicate<String> withQueue) {
        begun.keySet().removeIf(withQueue.negate());
    }

    /** Claims due deliveries for a queue, including those that it has in hand. */
    List<Delivery> claim(SubscriberQueue queue, long now, int limit) {
        if (queue.isBusy()) {
            begun.putIfAbsent(queue.subscriber(), nanoTime.getAsLong()); // the limit may leave out some in hand
        } else {
            begun.put(queue.subscriber(), nanoTime.getAsLong());
        }
        return claims.claim(queue.subscriber(), now, now + leaseMillis, limit);
    }

    /**
     * Extends the claims of a queue that has deliveries in hand, if it is time, and returns in how many nanoseconds
     * to call this again.
     */
    long renew(SubscriberQueue queue) {
        if (!queue.isBusy()) {
            return FOR_EVER;
        }
        long nanos = nanoTime.getAsLong();
        long left = begun.computeIfAbsent(queue.subscriber(), name -> nanos) + renewNanos - nanos;
        if (left > 0) {
            return left;
        }
        long now = clock.now();
        claims.renew(queue.subscriber(), now, now + leaseMillis);
        begun.put(queue.subscriber(), nanos);
        return renewNanos;
    }

    /** Gives up the claims of a queue whose handler has ended, after its last call, and returns whether it did. */
    boolean releaseEnded(SubscriberQueue queue) {
        String subscriber = queue.subscriber();
        if (queue.isActive() || queue.isBusy()) {
            return false;
        }
        Long ended = held.remove(subscriber);
        if (ended == null) {
            return false;
        }
        boolean released = false;
        try {
            if (!queue.isActive()) { // a new handler may have begun meanwhile
                long end = ended == NOT_ENDED ? clock.now() : ended;
                claims.renew(subscriber, end, end);
                released = true;
            }
        } finally {
            if (!released) {
                held.putIfAbsent(subscriber, ended);
            }
        }
        return released;
    }
}
