package dev.ttlstore.engine.commit;

import java.util.List;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.engine.Delivery;
import dev.ttlstore.engine.DeliveryReads;
import dev.ttlstore.engine.DeliveryReads.Backlog;
import dev.ttlstore.engine.KeyValue;
import dev.ttlstore.engine.Subscriber;

/** Reads the deliveries of a fake database as they are when a method is called. */
record FakeDeliveryReads(FakeDatabase database) implements DeliveryReads {

    @Override
    public List<Subscriber> subscribers() {
        return database.deliveries().subscribers();
    }

    @Override
    public List<Delivery> due(String subscriber, long now, int limit) {
        return database.deliveries().due(subscriber, now, limit);
    }

    @Override
    public @Nullable KeyValue value(long id) {
        return database.deliveries().value(id);
    }

    @Override
    public long nextAfter(String subscriber, long now) {
        return database.deliveries().nextAfter(subscriber, now);
    }

    @Override
    public List<Delivery> dead(String subscriber, long after, int limit) {
        return database.deliveries().dead(subscriber, after, limit);
    }

    @Override
    public long countDead(String subscriber) {
        return database.deliveries().countDead(subscriber);
    }

    @Override
    public long countPending(String subscriber) {
        return database.deliveries().countPending(subscriber);
    }

    @Override
    public Backlog backlog(String subscriber) {
        return database.deliveries().backlog(subscriber);
    }
}
