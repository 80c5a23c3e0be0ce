package dev.ttlstore.commit;

import java.time.Duration;
import java.util.List;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

import dev.ttlstore.contract.MovableClock;
import dev.ttlstore.contract.Promise;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;

import static org.assertj.core.api.Assertions.assertThat;

/** What an operator reads of a clock that steps. */
@Promise(5)
class StoreClockWarningTests {

    private static final long START = MovableClock.START.toEpochMilli();

    private final Logger logger = (Logger) LoggerFactory.getLogger(StoreClock.class);
    private final ListAppender<ILoggingEvent> appender = new ListAppender<>();
    private @Nullable Level level;
    private final MovableClock source = new MovableClock();

    @BeforeEach
    void listen() {
        level = logger.getLevel();
        logger.setLevel(Level.WARN);
        appender.start();
        logger.addAppender(appender);
    }

    @AfterEach
    void stopListening() {
        logger.detachAppender(appender);
        logger.setLevel(level);
    }

    private List<String> warnings() {
        return appender.list.stream().map(ILoggingEvent::getFormattedMessage).toList();
    }

    private void step(StoreClock clock, long millis) {
        source.advance(Duration.ofMillis(millis));
        clock.now();
    }

    @Test
    void aStepOfASecondIsToldOnceWithItsLength() {
        StoreClock clock = new StoreClock(source, 0);
        clock.now();
        step(clock, -1_000);
        step(clock, 0);
        assertThat(warnings()).singleElement().asString().contains("stepped back by PT1S");
    }

    @Test
    void asSmallAStepAsClocksMakeIsNotTold() {
        StoreClock clock = new StoreClock(source, 0);
        clock.now();
        step(clock, -999);
        step(clock, 999);
        step(clock, 5_000);
        assertThat(warnings()).isEmpty();
    }

    @Test
    void anotherStepIsToldAgainOnceTheClockHasCaughtUp() {
        StoreClock clock = new StoreClock(source, 0);
        clock.now();
        step(clock, -2_000);
        step(clock, 500);
        step(clock, 1_500);
        step(clock, -3_000);
        assertThat(warnings()).hasSize(2);
        assertThat(warnings().get(1)).contains("stepped back by PT3S");
    }

    @Test
    void aTimeThatIsNotBelievedIsTold() {
        long day = Duration.ofDays(1).toMillis();
        assertThat(new StoreClock(source, START + day).now()).isEqualTo(START + day);
        assertThat(warnings()).singleElement().asString().contains("stepped back by PT24H");
        appender.list.clear();
        assertThat(new StoreClock(source, START + day + 1).now()).isEqualTo(START);
        assertThat(warnings()).singleElement().asString().contains("going on with the clock");
    }
}
