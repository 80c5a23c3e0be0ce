package dev.ttlstore.internal.delivery;

import java.util.concurrent.TimeUnit;

import dev.ttlstore.engine.DeliveryClaims;
import dev.ttlstore.engine.DeliveryReads;
import dev.ttlstore.engine.Engine;

/**
 * Where deliveries come from.
 *
 * @param reads reads deliveries
 * @param claims gives deliveries to this node
 * @param leaseMillis how long a claim lasts, in milliseconds
 * @param maxIdleNanos how long to wait for a signal at most, in nanoseconds; {@link #FOR_EVER} if every change sends
 *     one
 */
record DeliverySource(DeliveryReads reads, DeliveryClaims claims, long leaseMillis, long maxIdleNanos) {

    /** Stands for a wait that only a signal ends. */
    static final long FOR_EVER = Long.MAX_VALUE;

    /** How long the deliveries of a node that has died stay with it. */
    private static final long LEASE_MILLIS = TimeUnit.SECONDS.toMillis(30);

    /** Another node may record deliveries or die, and neither sends a signal to this one. */
    private static final long SHARED_IDLE_NANOS = TimeUnit.SECONDS.toNanos(10);

    static DeliverySource of(Engine engine) {
        return new DeliverySource(
                engine.deliveries(),
                engine.claims(),
                LEASE_MILLIS,
                engine.info().exclusive() ? FOR_EVER : SHARED_IDLE_NANOS);
    }
}
