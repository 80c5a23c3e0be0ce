package dev.ttlstore.engine.support;

import java.time.Duration;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import dev.ttlstore.contract.LogRecorder;
import dev.ttlstore.contract.MovableClock;
import dev.ttlstore.contract.Promise;

import ch.qos.logback.classic.Level;

import static dev.ttlstore.contract.Assertions.assertThat;

/** What an operator reads of a clock that steps. */
@Promise(5)
class SteadyClockWarningTests {

    private static final long START = MovableClock.START.toEpochMilli();

    private final LogRecorder log = new LogRecorder(SteadyClock.class.getName(), Level.WARN);
    private final MovableClock source = new MovableClock();

    @AfterEach
    void stopListening() {
        log.close();
    }

    private void step(SteadyClock clock, long millis) {
        source.advance(Duration.ofMillis(millis));
        clock.now();
    }

    @Test
    void aStepOfASecondIsToldOnceWithItsLength() {
        SteadyClock clock = new SteadyClock(source, 0);
        clock.now();
        step(clock, -1_000);
        step(clock, 0);
        assertThat(log.messages()).singleElement().asString().contains("stepped back by PT1S");
    }

    @Test
    void asSmallAStepAsClocksMakeIsNotTold() {
        SteadyClock clock = new SteadyClock(source, 0);
        clock.now();
        step(clock, -999);
        step(clock, 999);
        step(clock, 5_000);
        assertThat(log.messages()).isEmpty();
    }

    @Test
    void anotherStepIsToldAgainOnceTheClockHasCaughtUp() {
        SteadyClock clock = new SteadyClock(source, 0);
        clock.now();
        step(clock, -2_000);
        step(clock, 500);
        step(clock, 1_500);
        step(clock, -3_000);
        assertThat(log.messages()).hasSize(2);
        assertThat(log.messages().get(1)).contains("stepped back by PT3S");
    }

    @Test
    void aTimeThatIsNotBelievedIsTold() {
        long day = Duration.ofDays(1).toMillis();
        assertThat(new SteadyClock(source, START + day).now()).isEqualTo(START + day);
        assertThat(log.messages()).singleElement().asString().contains("stepped back by PT24H");
        log.clear();
        assertThat(new SteadyClock(source, START + day + 1).now()).isEqualTo(START);
        assertThat(log.messages()).singleElement().asString().contains("continuing with the clock");
    }
}
