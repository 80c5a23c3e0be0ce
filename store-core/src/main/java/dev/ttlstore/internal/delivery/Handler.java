package dev.ttlstore.internal.delivery;

import dev.ttlstore.engine.Delivery;

/** What handles the deliveries of a subscriber; called by several threads at once. */
public interface Handler {

    /**
     * Handles one. When it returns, the delivery is done with.
     *
     * @param delivery the delivery
     * @param value the value that the row had
     * @throws Exception if it is to be tried again
     */
    void handle(Delivery delivery, byte[] value) throws Exception;
}
