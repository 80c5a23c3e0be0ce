package dev.ttlstore.engine.commit;

import java.util.List;

import dev.ttlstore.engine.Delivery;
import dev.ttlstore.engine.DeliveryClaims;
import dev.ttlstore.exception.StoreClosedException;

/** The claims of one node of a fake database. */
record FakeNodeClaims(FakeDatabase database, FakeEngine node) implements DeliveryClaims {

    private void requireOpen() {
        if (node.isClosed()) {
            throw new StoreClosedException();
        }
    }

    @Override
    public List<Delivery> claim(String subscriber, long now, long until, int limit) {
        requireOpen();
        return database.claim(node, subscriber, until, limit);
    }

    @Override
    public void renew(String subscriber, long now, long until) {
        requireOpen();
        database.extend(node, subscriber, now, until);
    }

    @Override
    public void release(String subscriber, long now) {
        requireOpen();
        database.extend(node, subscriber, now, now);
    }

    @Override
    public long lastSeen(String subscriber) {
        Long seen = database.lastSeen(subscriber);
        return seen == null ? UNSEEN : seen;
    }
}
