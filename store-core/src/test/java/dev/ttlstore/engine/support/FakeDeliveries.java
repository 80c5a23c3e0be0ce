package dev.ttlstore.engine.support;

import java.util.List;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.engine.Deliveries;
import dev.ttlstore.engine.Delivery;
import dev.ttlstore.engine.KeyValue;
import dev.ttlstore.engine.Subscriber;

/** The deliveries of an engine with one node, as they are when a method is called. */
public class FakeDeliveries implements Deliveries {

    private final Supplier<FakeDeliveryTable> table;
    private final HandlersSeen handlers;

    public FakeDeliveries(Supplier<FakeDeliveryTable> table) {
        this(table, new HandlersSeen());
    }

    protected FakeDeliveries(Supplier<FakeDeliveryTable> table, HandlersSeen handlers) {
        this.table = table;
        this.handlers = handlers;
    }

    @Override
    public List<Subscriber> subscribers() {
        return table.get().subscribers();
    }

    @Override
    public List<Delivery> claim(String subscriber, long now, long until, int limit) {
        handlers.see(subscriber, now);
        return table.get().due(subscriber, now, limit);
    }

    @Override
    public void renew(String subscriber, long now, long until) {
        handlers.see(subscriber, now);
    }

    @Override
    public long lastSeen(String subscriber) {
        return handlers.lastSeen(subscriber);
    }

    @Override
    public @Nullable KeyValue value(long id) {
        return table.get().value(id);
    }

    @Override
    public long nextAfter(String subscriber, long now) {
        return table.get().nextAfter(subscriber, now);
    }

    @Override
    public List<Delivery> dead(String subscriber, long after, int limit) {
        return table.get().dead(subscriber, after, limit);
    }

    @Override
    public Backlog backlog(String subscriber) {
        return table.get().backlog(subscriber);
    }
}
