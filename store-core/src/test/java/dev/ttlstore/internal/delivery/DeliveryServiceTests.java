package dev.ttlstore.internal.delivery;

import java.lang.reflect.Field;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import dev.ttlstore.contract.Promise;
import dev.ttlstore.contract.Threads;
import dev.ttlstore.engine.Delivery;
import dev.ttlstore.engine.EngineInfo;
import dev.ttlstore.engine.RowKey;
import dev.ttlstore.engine.support.Deadline;
import dev.ttlstore.expiry.ExpirySettings;

import static dev.ttlstore.contract.Assertions.assertThat;

@Promise(17)
class DeliveryServiceTests {

    private static final long LONG_LEASE = 30_000;

    private final DeliveryPipeline pipeline = new DeliveryPipeline();
    private final PartlyFailing stored = new PartlyFailing();
    private final List<DeliveryService> opened = new ArrayList<>();

    /** Fails for some subscribers, has nothing for others, and has something due for the rest. */
    private static final class PartlyFailing extends FakeDeliveries {
        private final AtomicInteger failuresLeft = new AtomicInteger();
        private final CountDownLatch failedAll = new CountDownLatch(1);
        private final CountDownLatch goOn = new CountDownLatch(1);

        @Override
        List<Delivery> due(String subscriber) {
            int left = failuresLeft.getAndUpdate(before -> Math.max(0, before - 1));
            if (left == 1) {
                failedAll.countDown();
                Threads.await(goOn);
            }
            if (left > 0) {
                throw new IllegalStateException("on purpose");
            }
            if (subscriber.startsWith("bad")) {
                throw new IllegalStateException("on purpose");
            }
            return subscriber.startsWith("idle")
                    ? List.of()
                    : List.of(new Delivery(1, subscriber, new RowKey("group", "key"), 1, 1, 0, 1, null));
        }
    }

    @AfterEach
    void close() {
        opened.forEach(deliveries -> deliveries.stop(Deadline.in(Duration.ofSeconds(30))));
        pipeline.close();
    }

    @Test
    void aSubscriberWhoseDeliveriesCannotBeReadDoesNotHoldUpOthers() {
        DeliveryService deliveries = open(LONG_LEASE, Leases.FOR_EVER);
        CountDownLatch called = new CountDownLatch(1);
        for (int i = 0; i < 20; i++) { // so that some come before the other
            Runnable unused = deliveries.begin("bad" + i, (delivery, value) -> {});
        }
        Runnable unused = deliveries.begin("good", (delivery, value) -> called.countDown());
        Threads.await(called);
    }

    @Test
    void aMomentsFailureOfAllSubscribersIsNoLastingOne() {
        DeliveryService deliveries = open(LONG_LEASE, Leases.FOR_EVER);
        for (int i = 0; i < 5; i++) {
            Runnable unused = deliveries.begin("idle" + i, (delivery, value) -> {});
        }
        stored.failuresLeft.set(5); // the last of which waits
        assertThat(deliveries.ensureRunning()).isTrue(); // for another turn, or two
        Threads.await(stored.failedAll);
        boolean failing = deliveries.isFailing();
        stored.goOn.countDown();
        assertThat(failing).isFalse();
    }

    @Test
    void aClaimIsRenewedWhileAHandlerRunsLong() {
        DeliveryService deliveries = open(40, Leases.FOR_EVER);
        CountDownLatch handled = new CountDownLatch(1);
        Runnable unused = deliveries.begin("good", (delivery, value) -> {
            Threads.await(stored.renewedOften());
            handled.countDown();
        });
        Threads.await(handled);
    }

    @Test
    void claimsAreReleasedWhenTheSubscriptionIsClosedAndItsLastCallIsOver() {
        DeliveryService deliveries = open(LONG_LEASE, Leases.FOR_EVER);
        CountDownLatch called = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        Runnable end = deliveries.begin("good", (delivery, value) -> {
            called.countDown();
            Threads.await(goOn);
        });
        Threads.await(called);
        end.run();
        assertThat(stored.releases()).isZero();
        goOn.countDown();
        Threads.await(stored.released());
    }

    @Test
    @Promise(24)
    void nothingIsLeftOfSubscribersThatWereRemoved() throws ReflectiveOperationException {
        DeliveryService deliveries = open(LONG_LEASE, Leases.FOR_EVER);
        for (int i = 0; i < 1_000; i++) {
            String name = "idle:tenant" + i;
            Runnable end = deliveries.begin(name, (delivery, value) -> {});
            assertThat(deliveries.queues().counts(name).handled().sum()).isZero();
            end.run();
            Runnable admit = deliveries.exclude(name);
            deliveries.forget(name);
            admit.run();
        }
        Runnable admit = deliveries.exclude("never had a handler");
        admit.run();
        deliveries.stop(Deadline.in(Duration.ofSeconds(30)));
        assertThat(map(deliveries, "queues", "queues")).isEmpty();
        assertThat(map(deliveries, "queues", "counts")).isEmpty();
        assertThat(map(deliveries, "leases", "held")).isEmpty();
        assertThat(map(deliveries, "leases", "begun")).isEmpty();
    }

    private static Map<?, ?> map(Object service, String part, String name) throws ReflectiveOperationException {
        Field owner = service.getClass().getDeclaredField(part);
        owner.setAccessible(true);
        Object held = owner.get(service);
        Field field = held.getClass().getDeclaredField(name);
        field.setAccessible(true);
        return (Map<?, ?>) field.get(held);
    }

    @Test
    void aSubscriberThatWasDroppedCanHaveAHandlerAgain() {
        DeliveryService deliveries = open(LONG_LEASE, Leases.FOR_EVER);
        for (int i = 0; i < 100; i++) {
            CountDownLatch called = new CountDownLatch(1);
            Runnable end = deliveries.begin("good", (delivery, value) -> called.countDown());
            Threads.await(called);
            end.run();
        }
    }

    @Test
    void claimsAreReleasedWhenTheStoreCloses() {
        DeliveryService deliveries = open(LONG_LEASE, Leases.FOR_EVER);
        Runnable unused = deliveries.begin("idle", (delivery, value) -> {});
        Threads.await(stored.claimed()); // what is stopped before has nothing to release
        deliveries.stop(Deadline.in(Duration.ofSeconds(30)));
        assertThat(stored.releases()).isEqualTo(1);
    }

    @Test
    void whereOtherNodesMayRecordDeliveriesTheyAreLookedForWithoutASignal() {
        DeliveryService deliveries = open(LONG_LEASE, TimeUnit.MILLISECONDS.toNanos(1));
        Runnable unused = deliveries.begin("idle", (delivery, value) -> {});
        Threads.await(stored.claimedOften());
    }

    @Test
    void onlyWhereEveryChangeIsOursAWaitHasNoEnd() {
        assertThat(DeliveryService.maxIdleNanos(new EngineInfo("fake", null, true, 1)))
                .isEqualTo(Leases.FOR_EVER);
        assertThat(DeliveryService.maxIdleNanos(new EngineInfo("fake", null, false, 1)))
                .isEqualTo(TimeUnit.SECONDS.toNanos(10));
    }

    private DeliveryService open(long leaseMillis, long maxIdleNanos) {
        DeliveryService deliveries = new DeliveryService(
                stored,
                leaseMillis,
                maxIdleNanos,
                pipeline.get(),
                pipeline.clock(),
                ExpirySettings.defaults(),
                System::nanoTime);
        opened.add(deliveries);
        return deliveries;
    }
}
