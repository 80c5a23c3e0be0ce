package dev.ttlstore.internal.delivery;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.ttlstore.engine.Delivery;
import dev.ttlstore.engine.DeliveryCommand;
import dev.ttlstore.engine.DeliveryCommand.DeliveryUpdate;
import dev.ttlstore.engine.Row;
import dev.ttlstore.engine.StoreClock;
import dev.ttlstore.engine.support.Thrown;
import dev.ttlstore.exception.Printable;
import dev.ttlstore.internal.commit.CommitPipeline;

/**
 * Records the outcomes of calls: removes what was handled, and lets the rest be retried or become dead letters. Used by one thread.
 *
 * @param pipeline commits what is recorded
 * @param clock the store's time
 * @param retries decides when a delivery is tried again
 */
record Acknowledgements(CommitPipeline pipeline, StoreClock clock, RetryPolicy retries) {

    private static final Logger log = LoggerFactory.getLogger(Acknowledgements.class);

    /** Records the outcomes of a subscriber's calls in one commit, and counts them. */
    void record(SubscriberQueue queue, Function<String, DeliveryCounts> all) {
        List<HandlerCall.Result> done = queue.outcomes();
        if (done.isEmpty()) {
            return;
        }
        long now = clock.now();
        List<Long> handled = new ArrayList<>();
        List<DeliveryUpdate> updates = new ArrayList<>();
        List<Runnable> messages = new ArrayList<>();
        for (HandlerCall.Result outcome : done) {
            Delivery delivery = outcome.delivery();
            Throwable thrown = outcome.failure();
            if (thrown == null) {
                handled.add(delivery.id());
            } else {
                DeliveryUpdate update = outcome.attempted()
                        ? retries.afterFailure(delivery, thrown, now)
                        : retries.afterNoAttempt(delivery, thrown, now);
                updates.add(update);
                messages.add(() -> log(outcome, thrown, update));
            }
        }
        boolean unused = pipeline.run(new DeliveryCommand.Acknowledge(handled, updates, now));
        queue.noted(done);
        DeliveryCounts counts = all.apply(queue.subscriber());
        counts.handled().add(handled.size());
        counts.failures()
                .add(done.stream()
                        .filter(outcome -> outcome.failure() != null && outcome.attempted())
                        .count());
        messages.forEach(Runnable::run);
    }

    /** Logs a failure, and what happens to the delivery. */
    private static void log(HandlerCall.Result outcome, Throwable failure, DeliveryUpdate update) {
        Delivery delivery = outcome.delivery();
        if (!outcome.attempted()) {
            log.info(
                    "An expired entry of group '{}' could not be given to the handler of the expiry subscriber '{}'"
                            + " ({}); this is retried later",
                    Printable.of(delivery.key().group()),
                    delivery.subscriber(),
                    failure.getClass().getName());
            return;
        }
        if (update.nextAt() != Row.NEVER) {
            log.info(
                    "The handler of the expiry subscriber '{}' has failed on an entry of group '{}' ({}), attempt"
                            + " {}; it is retried later",
                    delivery.subscriber(),
                    Printable.of(delivery.key().group()),
                    failure.getClass().getName(),
                    update.attempts());
            return;
        }
        try {
            logDeath(delivery, update, Thrown.withoutMessages(failure));
        } catch (RuntimeException | Error e) { // the handler's exception may itself fail when it is looked at
            logDeath(
                    delivery,
                    update,
                    new IllegalStateException("The exception could not be logged; its class is "
                            + failure.getClass().getName()));
        }
    }

    private static void logDeath(Delivery delivery, DeliveryUpdate update, Throwable cause) {
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
