package dev.ttlstore.contract;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

import dev.ttlstore.event.Subscription;
import dev.ttlstore.exception.StoreClosedException;

import ch.qos.logback.classic.Level;

import static dev.ttlstore.contract.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** A store that is closed while a handler runs, or by it. */
@Promise(17)
abstract class HandlerCloseContract extends SubscriberArea {

    @Test
    @Promise(22)
    void closingWaitsForAHandlerThatRuns() {
        CountDownLatch in = new CountDownLatch(1);
        AtomicReference<String> written = new AtomicReference<>();
        Subscription unused = store().onExpired("mail", "group", entry -> {
            in.countDown();
            Thread.sleep(50); // so that the closing below meets it
            store().group("told").put("key", "value");
            written.set(entry.key());
        });
        group().put("key", "value", Duration.ofMillis(1));
        expireAll();
        Threads.await(in);
        store().close();
        assertThat(written).hasValue("key");
        assertThatExceptionOfType(StoreClosedException.class).isThrownBy(() -> store().expirySubscribers());
        assertThatExceptionOfType(StoreClosedException.class).isThrownBy(this::subscribe);
    }

    @Test
    @Promise(22)
    void aHandlerMayCloseTheStore() {
        CountDownLatch closed = new CountDownLatch(1);
        Subscription unused = store().onExpired("mail", "group", entry -> {
            store().close();
            closed.countDown();
        });
        group().put("key", "value", Duration.ofMillis(1));
        expireAll();
        Threads.await(closed);
    }

    @Test
    @Promise(22)
    void deliveriesOfAStoreThatAHandlerHasClosedEndWithoutAWord() {
        assertDeliveriesEndWithoutAWord(() -> {
            open(settings());
            Subscription unused = store().onExpired("mail", "group", entry -> store().close());
            group().put("key", "value", Duration.ofMillis(1));
            return this::expireAll;
        });
    }

    @Test
    @Promise(22)
    void deliveriesOfAStoreThatWaitsNoLongerForAHandlerEndWithoutAWord() {
        CountDownLatch in = new CountDownLatch(1);
        CountDownLatch release = new CountDownLatch(1);
        assertDeliveriesEndWithoutAWord(() -> {
            open(settings().closeTimeout(Duration.ofMillis(100)));
            Subscription unused = store().onExpired("mail", "group", entry -> {
                in.countDown();
                while (release.getCount() > 0) { // whether interrupted or not
                    Thread.onSpinWait();
                }
            });
            group().put("key", "value", Duration.ofMillis(1));
            return () -> {
                expireAll();
                Threads.await(in);
                store().close();
                release.countDown();
            };
        });
    }

    /** Runs something that ends a store which it has opened. */
    private void assertDeliveriesEndWithoutAWord(Supplier<Runnable> opening) {
        try (LogRecorder log = new LogRecorder("dev.ttlstore.internal.delivery", Level.WARN)) {
            Set<Thread> before = deliveryThreads();
            Runnable ending = opening.get();
            Set<Thread> ofStore = deliveryThreads();
            ofStore.removeAll(before);
            ending.run();
            Awaitility.await().until(() -> ofStore.stream().noneMatch(Thread::isAlive));
            assertThat(log.messages()).isEmpty();
        }
    }
}
