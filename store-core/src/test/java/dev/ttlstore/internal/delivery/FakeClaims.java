package dev.ttlstore.internal.delivery;

import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

import dev.ttlstore.engine.Delivery;
import dev.ttlstore.engine.DeliveryClaims;
import dev.ttlstore.engine.DeliveryReads;
import dev.ttlstore.engine.support.SoleClaims;

/** Claims what is due, and counts what was asked. */
final class FakeClaims implements DeliveryClaims {

    private final SoleClaims claims;
    private final AtomicInteger renewals = new AtomicInteger();
    private final AtomicInteger releases = new AtomicInteger();
    private final CountDownLatch claimed = new CountDownLatch(1);
    private final CountDownLatch claimedOften = new CountDownLatch(5);
    private final CountDownLatch renewedOften = new CountDownLatch(3);
    private final CountDownLatch released = new CountDownLatch(1);
    private volatile long until;

    FakeClaims(DeliveryReads reads) {
        this.claims = new SoleClaims(reads);
    }

    /** Until when the last call claimed. */
    long until() {
        return until;
    }

    int renewals() {
        return renewals.get();
    }

    int releases() {
        return releases.get();
    }

    CountDownLatch claimed() {
        return claimed;
    }

    CountDownLatch claimedOften() {
        return claimedOften;
    }

    CountDownLatch renewedOften() {
        return renewedOften;
    }

    CountDownLatch released() {
        return released;
    }

    /** Has another node claim something. */
    void seenElsewhere(String subscriber, long now) {
        claims.renew(subscriber, now, now);
    }

    @Override
    public List<Delivery> claim(String subscriber, long now, long claimedUntil, int limit) {
        until = claimedUntil;
        claimed.countDown();
        claimedOften.countDown();
        return claims.claim(subscriber, now, claimedUntil, limit);
    }

    @Override
    public void renew(String subscriber, long now, long claimedUntil) {
        until = claimedUntil;
        renewals.incrementAndGet();
        renewedOften.countDown();
        claims.renew(subscriber, now, claimedUntil);
    }

    @Override
    public void release(String subscriber, long now) {
        releases.incrementAndGet();
        claims.release(subscriber, now);
        released.countDown();
    }

    @Override
    public long lastSeen(String subscriber) {
        return claims.lastSeen(subscriber);
    }
}
