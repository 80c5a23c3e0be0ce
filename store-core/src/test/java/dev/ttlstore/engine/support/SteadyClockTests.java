package dev.ttlstore.engine.support;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

import org.junit.jupiter.api.Test;

import dev.ttlstore.Store;
import dev.ttlstore.contract.MovableClock;
import dev.ttlstore.contract.Promise;
import dev.ttlstore.contract.Threads;

import static dev.ttlstore.contract.Assertions.assertThat;

@Promise(5)
class SteadyClockTests {

    private static final long START = MovableClock.START.toEpochMilli();
    private static final long DAY = Duration.ofDays(1).toMillis();

    private final MovableClock source = new MovableClock();

    @Test
    void timeIsThatOfTheSource() {
        SteadyClock clock = new SteadyClock(source, 0);
        assertThat(clock.now()).isEqualTo(START);
        source.advance(Duration.ofMillis(7));
        assertThat(clock.now()).isEqualTo(START + 7);
    }

    @Test
    @Promise({2, 5})
    void aSourceBeyondTheStoresTimesIsAsGoodAsTheLastOrTheFirstOfThem() {
        for (Instant odd : List.of(Instant.MAX, Instant.MIN, Instant.ofEpochMilli(Long.MAX_VALUE))) {
            long now = new SteadyClock(() -> odd, Long.MIN_VALUE / 4).now();
            assertThat(Math.signum((float) now)).isEqualTo(odd.isAfter(Instant.EPOCH) ? 1 : -1);
            try (Store store = Store.builder().inMemory().clock(() -> odd).open()) {
                store.group("group").put("key", "value", Duration.ofDays(1));
                assertThat(store.group("group").get("key")).contains("value");
                assertThat(store.purgeExpired()).isZero();
            }
        }
    }

    @Test
    void timeStandsStillWhileTheSourceIsBehind() {
        SteadyClock clock = new SteadyClock(source, 0);
        clock.now();
        source.advance(Duration.ofHours(-1));
        assertThat(clock.now()).isEqualTo(START);
        source.advance(Duration.ofHours(1).minusMillis(1));
        assertThat(clock.now()).isEqualTo(START);
        source.advance(Duration.ofMillis(2));
        assertThat(clock.now()).isEqualTo(START + 1);
    }

    @Test
    void aSourceThatWasAYearAheadForAMomentIsNotBelievedOnceItIsRightAgain() {
        SteadyClock clock = new SteadyClock(source, 0);
        clock.now();
        source.advance(Duration.ofDays(365));
        assertThat(clock.now()).isEqualTo(START + 365 * DAY);
        source.advance(Duration.ofDays(-365).plusSeconds(5));
        assertThat(clock.now()).isEqualTo(START + 5_000);
    }

    @Test
    void aSourceThatFallsBackByYearsWithoutALeapBeforeIsWrongNow() {
        SteadyClock clock = new SteadyClock(source, 0);
        clock.now();
        source.set(Instant.EPOCH);
        assertThat(clock.now()).isEqualTo(START);
    }

    @Test
    void aSourceThatFallsBackByMoreThanItHadLeaptAheadIsWrongNow() {
        SteadyClock clock = new SteadyClock(source, 0);
        clock.now();
        source.advance(Duration.ofDays(30)); // as after a suspended machine
        clock.now();
        source.set(Instant.EPOCH);
        assertThat(clock.now()).isEqualTo(START + 30 * DAY);
    }

    @Test
    void timeBeginsWhereItHadEnded() {
        SteadyClock clock = new SteadyClock(source, START + 500);
        assertThat(clock.now()).isEqualTo(START + 500);
        source.advance(Duration.ofMillis(501));
        assertThat(clock.now()).isEqualTo(START + 501);
    }

    @Test
    void anEndThatIsADayAheadOfTheSourceIsBelieved() {
        assertThat(new SteadyClock(source, START + DAY).now()).isEqualTo(START + DAY);
    }

    @Test
    void anEndThatIsMoreThanADayAheadOfTheSourceIsNotBelieved() {
        assertThat(new SteadyClock(source, START + DAY + 1).now()).isEqualTo(START);
    }

    @Test
    void theSourceMayBeBefore1970() {
        source.set(Instant.parse("1960-01-01T00:00:00Z"));
        assertThat(new SteadyClock(source, 0).now()).isNegative();
    }

    @Test
    void noThreadSeesTimeRunBackwards() {
        AtomicLong ticks = new AtomicLong();
        // It runs on all the time, and every third answer is well behind the one before it.
        SteadyClock clock = new SteadyClock(
                () -> {
                    long tick = ticks.incrementAndGet();
                    return Instant.ofEpochMilli(START + tick - (tick % 3 == 0 ? 500 : 0));
                },
                0);
        Threads.together(8, thread -> {
            long last = 0;
            for (int i = 0; i < 50_000; i++) {
                long now = clock.now();
                if (now < last) {
                    throw new AssertionError(now + " was told after " + last);
                }
                last = now;
            }
            return last;
        });
    }
}
