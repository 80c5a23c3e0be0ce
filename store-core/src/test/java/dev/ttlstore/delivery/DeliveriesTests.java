package dev.ttlstore.delivery;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import dev.ttlstore.commit.CommitPipeline;
import dev.ttlstore.commit.EventDispatcher;
import dev.ttlstore.commit.Meter;
import dev.ttlstore.commit.RowCache;
import dev.ttlstore.commit.StoreClock;
import dev.ttlstore.commit.Subscribers;
import dev.ttlstore.commit.UsageLedger;
import dev.ttlstore.contract.MovableClock;
import dev.ttlstore.contract.Promise;
import dev.ttlstore.contract.Threads;
import dev.ttlstore.engine.Delivery;
import dev.ttlstore.engine.Engine;
import dev.ttlstore.engine.EngineSettings;
import dev.ttlstore.engine.RowKey;
import dev.ttlstore.expiry.ExpirySettings;
import dev.ttlstore.sqlite.SqliteEngineProvider;

@Promise(17)
class DeliveriesTests {

    private final Engine engine = new SqliteEngineProvider().open(new EngineSettings(null, false, Duration.ZERO));
    private final StoreClock clock = new StoreClock(new MovableClock(), 0);
    private final Subscribers subscribers = new Subscribers(List.of());
    private final CommitPipeline pipeline = new CommitPipeline(
            engine,
            RowCache.of(0),
            clock,
            new EventDispatcher(),
            new UsageLedger(),
            false,
            subscribers,
            new Meter(List.of()));

    private final Deliveries deliveries =
            new Deliveries(new PartlyFailingReads(), pipeline, clock, subscribers, ExpirySettings.defaults());

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
        deliveries.stop();
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
