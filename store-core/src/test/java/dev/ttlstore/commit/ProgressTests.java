package dev.ttlstore.commit;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;

import static org.assertj.core.api.Assertions.assertThat;

class ProgressTests {

    private final Logger logger = (Logger) LoggerFactory.getLogger(Progress.class);
    private final ListAppender<ILoggingEvent> appender = new ListAppender<>();
    private final AtomicLong nanos = new AtomicLong();

    @BeforeEach
    void listen() {
        appender.start();
        logger.addAppender(appender);
        logger.setLevel(Level.INFO);
    }

    @AfterEach
    void leave() {
        logger.detachAppender(appender);
        logger.setLevel(null);
    }

    @Test
    void shortWorkSaysNothing() {
        Progress progress = new Progress("Short work", nanos::get);
        progress.add(10);
        nanos.addAndGet(Duration.ofSeconds(5).toNanos());
        progress.add(10);
        assertThat(progress.done()).isEqualTo(20);
        assertThat(appender.list).isEmpty();
    }

    @Test
    void longWorkSaysHowFarItHasComeEveryFewSeconds() {
        Progress progress = new Progress("Long work", nanos::get);
        for (int i = 0; i < 130; i++) {
            nanos.addAndGet(Duration.ofMillis(100).toNanos());
            progress.add(10);
        }
        assertThat(appender.list)
                .extracting(ILoggingEvent::getFormattedMessage)
                .containsExactly("Long work: 510 so far", "Long work: 1020 so far");
    }
}
