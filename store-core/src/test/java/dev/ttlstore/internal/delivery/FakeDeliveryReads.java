package dev.ttlstore.internal.delivery;

import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.engine.Delivery;
import dev.ttlstore.engine.DeliveryReads;
import dev.ttlstore.engine.DeliveryReads.Backlog;
import dev.ttlstore.engine.KeyValue;
import dev.ttlstore.engine.Row;
import dev.ttlstore.engine.Subscriber;

/** Deliveries that have values, unless a test says that they are gone, and nothing else. */
class FakeDeliveryReads implements DeliveryReads {

    private final AtomicInteger valuesRead = new AtomicInteger();
    private final AtomicInteger counts = new AtomicInteger();
    private volatile boolean gone;

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

    @Override
    public @Nullable KeyValue value(long id) {
        valuesRead.incrementAndGet();
        return gone ? null : new KeyValue("key", new byte[] {1});
    }

    @Override
    public List<Subscriber> subscribers() {
        return List.of();
    }

    @Override
    public List<Delivery> due(String subscriber, long now, int limit) {
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
    public long countDead(String subscriber) {
        return 0;
    }

    @Override
    public long countPending(String subscriber) {
        counts.incrementAndGet();
        return 0;
    }

    @Override
    public Backlog backlog(String subscriber) {
        return new Backlog(0, Row.NEVER, 0);
    }
}
