package dev.ttlstore.internal.delivery;

import dev.ttlstore.engine.Delivery;
import dev.ttlstore.engine.KeyValue;

/** Handles the deliveries of a subscriber. Several threads call it at the same time. */
public interface Handler {

    /**
     * Handles a delivery. The delivery is done when this method returns.
     *
     * @param delivery the delivery
     * @param value the key and the value that the row had
     * @throws Exception if the delivery must be retried
     */
    void handle(Delivery delivery, KeyValue value) throws Exception;
}
