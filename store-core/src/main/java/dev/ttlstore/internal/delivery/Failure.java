package dev.ttlstore.internal.delivery;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.ttlstore.engine.Delivery;
import dev.ttlstore.engine.DeliveryUpdate;
import dev.ttlstore.engine.Row;
import dev.ttlstore.engine.support.Thrown;
import dev.ttlstore.exception.Printable;

/**
 * A failed call, and what happens to its delivery.
 *
 * @param delivery the delivery
 * @param thrown the handler's exception
 * @param update the new state of the delivery
 */
record Failure(Delivery delivery, Throwable thrown, DeliveryUpdate update) {

    private static final Logger log = LoggerFactory.getLogger(Failure.class);

    void tell() {
        if (update.nextAt() != Row.NEVER) {
            log.info(
                    "The handler of the expiry subscriber '{}' has failed on an entry of group '{}' ({}), attempt"
                            + " {}; it is retried later",
                    delivery.subscriber(),
                    Printable.of(delivery.key().group()),
                    thrown.getClass().getName(),
                    update.attempts());
            return;
        }
        try {
            tellOfDeath(Thrown.withoutMessages(thrown));
            // The handler's exception may itself fail when it is looked at.
        } catch (RuntimeException | Error e) {
            tellOfDeath(new IllegalStateException("The exception could not be logged; its class is "
                    + thrown.getClass().getName()));
        }
    }

    private void tellOfDeath(Throwable cause) {
        log.warn(
                "The handler of the expiry subscriber '{}' has failed {} times on an entry of group '{}', which is"
                        + " now dead letter {}",
                delivery.subscriber(),
                update.attempts(),
                Printable.of(delivery.key().group()),
                delivery.id(),
                cause);
    }
}
