package dev.ttlstore.engine.commit;

import java.util.List;

import dev.ttlstore.engine.Delivery;
import dev.ttlstore.engine.support.FakeDeliveries;

/** The deliveries of a fake database, with the claims of one node. */
final class FakeNodeDeliveries extends FakeDeliveries {

    private final FakeDatabase database;
    private final FakeEngine node;

    FakeNodeDeliveries(FakeDatabase database, FakeEngine node) {
        super(database::deliveries);
        this.database = database;
        this.node = node;
    }

    @Override
    public List<Delivery> claim(String subscriber, long now, long until, int limit) {
        node.requireOpen();
        return database.claim(node, subscriber, until, limit);
    }

    @Override
    public void renew(String subscriber, long now, long until) {
        node.requireOpen();
        database.extend(node, subscriber, now, until);
    }

    @Override
    public long lastSeen(String subscriber) {
        Long seen = database.lastSeen(subscriber);
        return seen == null ? UNSEEN : seen;
    }
}
