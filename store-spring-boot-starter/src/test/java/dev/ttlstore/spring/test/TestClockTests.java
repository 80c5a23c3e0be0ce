package dev.ttlstore.spring.test;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class TestClockTests {

    private static final Instant START = Instant.parse("2030-01-01T00:00:00Z");

    private final AtomicInteger moves = new AtomicInteger();
    private final TestClock clock = new TestClock(START, moves::incrementAndGet);

    @Test
    void itStandsStillUntilItIsMoved() {
        assertThat(clock.instant()).isEqualTo(START);
        clock.advance(Duration.ofMinutes(10));
        assertThat(clock.instant()).isEqualTo(START.plusSeconds(600));
        clock.set(START.plusSeconds(601));
        assertThat(clock.millis()).isEqualTo(START.plusSeconds(601).toEpochMilli());
        assertThat(moves).hasValue(2);
    }

    @Test
    void aMoveThatGoesNowhereIsAMove() {
        clock.advance(Duration.ZERO);
        clock.set(START);
        assertThat(clock.instant()).isEqualTo(START);
        assertThat(moves).hasValue(2);
    }

    @Test
    void itIsNotMovedBackwards() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> clock.advance(Duration.ofMillis(-1)))
                .withMessageContaining("'duration'")
                .withMessageContaining("never runs backwards")
                .withMessageContaining("PT-0.001S");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> clock.set(START.minusMillis(1)))
                .withMessageContaining("'instant'")
                .withMessageContaining("never runs backwards")
                .withMessageContaining(START.toString());
        assertThat(clock.instant()).isEqualTo(START);
        assertThat(moves).hasValue(0);
    }

    @Test
    void itsZoneIsUtcAndInAnotherItMovesAlong() {
        assertThat(clock.getZone()).isEqualTo(ZoneOffset.UTC);
        Clock elsewhere = clock.withZone(ZoneId.of("Europe/Berlin"));
        clock.advance(Duration.ofSeconds(1));
        assertThat(elsewhere.getZone()).isEqualTo(ZoneId.of("Europe/Berlin"));
        assertThat(elsewhere.instant()).isEqualTo(START.plusSeconds(1));
    }

    @Test
    void movesOfManyThreadsAddUp() throws InterruptedException {
        ExecutorService threads = Executors.newFixedThreadPool(4);
        List<Runnable> work = new ArrayList<>();
        for (int i = 0; i < 1_000; i++) {
            work.add(() -> clock.advance(Duration.ofSeconds(1)));
        }
        work.forEach(threads::execute);
        threads.shutdown();
        assertThat(threads.awaitTermination(30, TimeUnit.SECONDS)).isTrue();
        assertThat(clock.instant()).isEqualTo(START.plusSeconds(1_000));
        assertThat(moves).hasValue(1_000);
    }
}
