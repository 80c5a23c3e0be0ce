package dev.ttlstore.internal.delivery;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import dev.ttlstore.contract.Promise;
import dev.ttlstore.contract.Threads;
import dev.ttlstore.engine.Delivery;
import dev.ttlstore.engine.RowKey;
import dev.ttlstore.expiry.ExpirySettings;
import dev.ttlstore.internal.base.Deadline;

@Promise(17)
class DeliveriesTests {

    private final DeliveryPipeline pipeline = new DeliveryPipeline();
    private final Deliveries deliveries =
            new Deliveries(new PartlyFailingReads(), pipeline.get(), pipeline.clock(), ExpirySettings.defaults());

    /** Fails for some subscribers, and has something due for all others. */
    private static final class PartlyFailingReads extends FakeDeliveryReads {
        @Override
        public List<Delivery> due(String subscriber, long now, int limit) {
            if (subscriber.startsWith("bad")) {
                throw new IllegalStateException("on purpose");
            }
            return List.of(new Delivery(1, subscriber, new RowKey("group", "key"), 1, 1, 0, 1, null));
        }
    }

    @AfterEach
    void close() {
        deliveries.stop(Deadline.in(Duration.ofSeconds(30)));
        pipeline.close();
    }

    @Test
    void aSubscriberWhoseDeliveriesCannotBeReadDoesNotHoldUpOthers() {
        CountDownLatch called = new CountDownLatch(1);
        for (int i = 0; i < 20; i++) { // so that some come before the other
            Runnable unused = deliveries.begin("bad" + i, (delivery, value) -> {});
        }
        Runnable unused = deliveries.begin("good", (delivery, value) -> called.countDown());
        Threads.await(called);
    }
}
