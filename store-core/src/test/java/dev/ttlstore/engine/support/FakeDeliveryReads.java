package dev.ttlstore.engine.support;

import java.util.List;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.engine.Delivery;
import dev.ttlstore.engine.DeliveryReads;
import dev.ttlstore.engine.DeliveryReads.Backlog;
import dev.ttlstore.engine.KeyValue;
import dev.ttlstore.engine.Subscriber;

/** Reads deliveries as they are when a method is called. */
public record FakeDeliveryReads(Supplier<? extends DeliveryReads> current) implements DeliveryReads {

    @Override
    public List<Subscriber> subscribers() {
        return current.get().subscribers();
    }

    @Override
    public List<Delivery> due(String subscriber, long now, int limit) {
        return current.get().due(subscriber, now, limit);
    }

    @Override
    public @Nullable KeyValue value(long id) {
        return current.get().value(id);
    }

    @Override
    public long nextAfter(String subscriber, long now) {
        return current.get().nextAfter(subscriber, now);
    }

    @Override
    public List<Delivery> dead(String subscriber, long after, int limit) {
        return current.get().dead(subscriber, after, limit);
    }

    @Override
    public long countDead(String subscriber) {
        return current.get().countDead(subscriber);
    }

    @Override
    public long countPending(String subscriber) {
        return current.get().countPending(subscriber);
    }

    @Override
    public Backlog backlog(String subscriber) {
        return current.get().backlog(subscriber);
    }
}
