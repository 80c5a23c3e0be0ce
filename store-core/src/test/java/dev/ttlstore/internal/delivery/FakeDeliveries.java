package dev.ttlstore.internal.delivery;

import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.engine.Deliveries;
import dev.ttlstore.engine.Delivery;
import dev.ttlstore.engine.KeyValue;
import dev.ttlstore.engine.Row;
import dev.ttlstore.engine.Subscriber;
import dev.ttlstore.engine.support.HandlersSeen;

/** Deliveries that have values, unless a test says that they are gone, and none that is due. Counts what was asked. */
class FakeDeliveries implements Deliveries {

    private final HandlersSeen handlers = new HandlersSeen();
    private final AtomicInteger valuesRead = new AtomicInteger();
    private final AtomicInteger counts = new AtomicInteger();
    private final AtomicInteger renewals = new AtomicInteger();
    private final AtomicInteger releases = new AtomicInteger();
    private final CountDownLatch claimed = new CountDownLatch(1);
    private final CountDownLatch claimedOften = new CountDownLatch(5);
    private final CountDownLatch renewedOften = new CountDownLatch(3);
    private final CountDownLatch released = new CountDownLatch(1);
    private volatile boolean gone;
    private volatile @Nullable RuntimeException unreadable;
    private volatile long until;

    int valuesRead() {
        return valuesRead.get();
    }

    /** How often it was counted what waits. */
    int counts() {
        return counts.get();
    }

    void setGone() {
        gone = true;
    }

    /** Has no value read; null if they can be read again. */
    void setUnreadable(@Nullable RuntimeException failure) {
        unreadable = failure;
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
        handlers.see(subscriber, now);
    }

    List<Delivery> due(String subscriber) {
        return List.of();
    }

    @Override
    public List<Delivery> claim(String subscriber, long now, long claimedUntil, int limit) {
        until = claimedUntil;
        claimed.countDown();
        claimedOften.countDown();
        handlers.see(subscriber, now);
        return due(subscriber);
    }

    @Override
    public void renew(String subscriber, long now, long claimedUntil) {
        handlers.see(subscriber, now);
        if (claimedUntil == now) {
            releases.incrementAndGet();
            released.countDown();
        } else {
            until = claimedUntil;
            renewals.incrementAndGet();
            renewedOften.countDown();
        }
    }

    @Override
    public long lastSeen(String subscriber) {
        return handlers.lastSeen(subscriber);
    }

    @Override
    public void forget(String subscriber) {
        handlers.forget(subscriber);
    }

    @Override
    public @Nullable KeyValue value(long id) {
        valuesRead.incrementAndGet();
        RuntimeException failure = unreadable;
        if (failure != null) {
            throw failure;
        }
        return gone ? null : new KeyValue("key", new byte[] {1});
    }

    @Override
    public List<Subscriber> subscribers() {
        return List.of();
    }

    @Override
    public long nextAfter(String subscriber, long now) {
        return Row.NEVER;
    }

    @Override
    public List<Delivery> dead(String subscriber, long after, int limit) {
        return List.of();
    }

    @Override
    public Backlog backlog(String subscriber) {
        counts.incrementAndGet();
        return new Backlog(0, Row.NEVER, 0);
    }
}
