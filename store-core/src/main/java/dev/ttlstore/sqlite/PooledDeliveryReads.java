package dev.ttlstore.sqlite;

import java.util.List;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.engine.Backlog;
import dev.ttlstore.engine.Delivery;
import dev.ttlstore.engine.DeliveryReads;
import dev.ttlstore.engine.KeyValue;
import dev.ttlstore.engine.Subscriber;

/** Reads deliveries. Each call uses a session of a pool. */
record PooledDeliveryReads(SessionPool pool) implements DeliveryReads {

    @Override
    public List<Subscriber> subscribers() {
        return pool.with(session -> session.deliveries().subscribers());
    }

    @Override
    public List<Delivery> due(String subscriber, long now, int limit) {
        return pool.with(session -> session.deliveries().due(subscriber, now, limit));
    }

    @Override
    public @Nullable KeyValue value(long id) {
        return pool.<@Nullable KeyValue>with(session -> session.deliveries().value(id));
    }

    @Override
    public long nextAfter(String subscriber, long now) {
        return pool.with(session -> session.deliveries().nextAfter(subscriber, now));
    }

    @Override
    public List<Delivery> dead(String subscriber, long after, int limit) {
        return pool.with(session -> session.deliveries().dead(subscriber, after, limit));
    }

    @Override
    public long countDead(String subscriber) {
        return pool.with(session -> session.deliveries().countDead(subscriber));
    }

    @Override
    public long countPending(String subscriber) {
        return pool.with(session -> session.deliveries().countPending(subscriber));
    }

    @Override
    public Backlog backlog(String subscriber) {
        return pool.with(session -> session.deliveries().backlog(subscriber));
    }
}
