package dev.ttlstore.internal.delivery;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import dev.ttlstore.contract.MovableClock;
import dev.ttlstore.contract.Promise;
import dev.ttlstore.engine.support.SteadyClock;

import static dev.ttlstore.contract.Assertions.assertThat;

/** How often it is looked at what waits for missing handlers, and when first. */
@Promise(17)
class BacklogLimitTests {

    private static final List<String> MAIL = List.of("mail");
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

    private final MovableClock clock = new MovableClock();
    private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE); // it may overflow at any time
    private final FakeDeliveries deliveries = new FakeDeliveries();
    private final DeliveryPipeline pipeline = new DeliveryPipeline();
    private final BacklogLimit missing =
            new BacklogLimit(deliveries, pipeline.get(), new SteadyClock(clock, 0), 100, nanos::get, nanos::get);

    @AfterEach
    void close() {
        pipeline.close();
    }

    @Test
    void nothingIsLookedAtFiveMinutesFromTheOpening() {
        assertThat(look()).isEqualTo(300 * SECOND);
        letPass(299);
        assertThat(look()).isEqualTo(SECOND);
        assertThat(deliveries.counts()).isZero();
        letPass(1);
        assertThat(look()).isEqualTo(Leases.FOR_EVER);
        assertThat(deliveries.counts()).isEqualTo(1);
    }

    @Test
    void aStepOfTheClockDoesNotEndThatTimeEarly() {
        nanos.addAndGet(SECOND);
        clock.advance(Duration.ofMinutes(10));
        assertThat(look()).isEqualTo(299 * SECOND);
        assertThat(deliveries.counts()).isZero();
    }

    @Test
    void norDoesAClockThatWasAheadMakeItLonger() {
        clock.advance(Duration.ofDays(2));
        BacklogLimit ahead = new BacklogLimit(deliveries, pipeline.get(), clock::millis, 100, nanos::get, nanos::get);
        clock.advance(Duration.ofDays(-2));
        nanos.addAndGet(300 * SECOND);
        assertThat(ahead.trim(MAIL, name -> new DeliveryCounts())).isEqualTo(Leases.FOR_EVER);
        assertThat(deliveries.counts()).isEqualTo(1);
    }

    @Test
    void norFiveMinutesFromTheEndOfTheSubscription() {
        letPass(1_000);
        deliveries.renew("mail", clock.millis(), clock.millis());
        assertThat(look()).isEqualTo(300 * SECOND);
        letPass(300);
        assertThat(look()).isEqualTo(Leases.FOR_EVER);
        assertThat(deliveries.counts()).isEqualTo(1);
    }

    @Test
    void norWhileAnotherNodeIsSeenWithTheHandler() {
        for (int minute = 0; minute < 60; minute++) {
            letPass(60);
            deliveries.seenElsewhere("mail", clock.millis());
            assertThat(look()).isEqualTo(300 * SECOND);
        }
        assertThat(deliveries.counts()).isZero();
        letPass(300);
        assertThat(look()).isEqualTo(Leases.FOR_EVER);
        assertThat(deliveries.counts()).isEqualTo(1);
    }

    @Test
    void aLookIsTakenOnceASecondAtMost() {
        letPass(300);
        assertThat(look()).isEqualTo(Leases.FOR_EVER);
        nanos.addAndGet(SECOND / 4);
        assertThat(look()).isEqualTo(SECOND * 3 / 4);
        assertThat(deliveries.counts()).isEqualTo(1);
        letPass(1);
        assertThat(look()).isEqualTo(Leases.FOR_EVER);
        assertThat(deliveries.counts()).isEqualTo(2);
    }

    @Test
    void whereNoHandlerIsMissingThereIsNothingToComeBackFor() {
        assertThat(missing.trim(List.of(), name -> new DeliveryCounts())).isEqualTo(Leases.FOR_EVER);
    }

    private long look() {
        return missing.trim(MAIL, name -> new DeliveryCounts());
    }

    private void letPass(long seconds) {
        clock.advance(Duration.ofSeconds(seconds));
        nanos.addAndGet(seconds * SECOND);
    }
}
