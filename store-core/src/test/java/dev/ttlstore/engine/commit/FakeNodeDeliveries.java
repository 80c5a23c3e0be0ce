package dev.ttlstore.engine.commit;

import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.engine.Delivery;
import dev.ttlstore.engine.support.FakeDeliveries;
import dev.ttlstore.engine.support.FakeDeliveryTable;
import dev.ttlstore.engine.support.HandlersSeen;

/** The deliveries of a fake database, with the claims of one node. */
final class FakeNodeDeliveries extends FakeDeliveries {

    private final Map<Long, Claim> claims;

    record Claim(FakeNodeDeliveries node, String subscriber, long until) {}

    /**
     * Creates those of a node.
     *
     * @param table shows the subscribers and deliveries of a moment
     * @param handlers when handlers of any node were at work
     * @param claims the claims of all nodes, by delivery
     */
    FakeNodeDeliveries(Supplier<FakeDeliveryTable> table, HandlersSeen handlers, Map<Long, Claim> claims) {
        super(table, handlers);
        this.claims = claims;
    }

    @Override
    public List<Delivery> claim(String subscriber, long now, long until, int limit) {
        synchronized (claims) {
            List<Delivery> free = super.claim(subscriber, now, until, Integer.MAX_VALUE).stream()
                    .filter(delivery -> isFree(claims.get(delivery.id()), now))
                    .limit(limit)
                    .toList();
            free.forEach(delivery -> claims.put(delivery.id(), new Claim(this, subscriber, until)));
            return free;
        }
    }

    private boolean isFree(@Nullable Claim claim, long now) {
        return claim == null || claim.node() == this || claim.until() <= now;
    }

    @Override
    public void renew(String subscriber, long now, long until) {
        super.renew(subscriber, now, until);
        synchronized (claims) {
            claims.replaceAll(
                    (id, claim) -> claim.node() == this && claim.subscriber().equals(subscriber)
                            ? new Claim(this, subscriber, until)
                            : claim);
        }
    }
}
