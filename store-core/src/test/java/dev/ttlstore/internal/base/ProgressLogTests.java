package dev.ttlstore.internal.base;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import dev.ttlstore.contract.LogRecorder;

import ch.qos.logback.classic.Level;

import static dev.ttlstore.contract.Assertions.assertThat;

class ProgressLogTests {

    private final LogRecorder log = new LogRecorder(ProgressLog.class.getName(), Level.INFO);
    private final AtomicLong nanos = new AtomicLong();

    @AfterEach
    void leave() {
        log.close();
    }

    @Test
    void shortWorkSaysNothing() {
        ProgressLog progress = new ProgressLog("Short work", nanos::get);
        progress.add(10);
        nanos.addAndGet(Duration.ofSeconds(5).toNanos());
        progress.add(10);
        assertThat(progress.done()).isEqualTo(20);
        assertThat(log.messages()).isEmpty();
    }

    @Test
    void longWorkSaysHowFarItHasComeEveryFewSeconds() {
        ProgressLog progress = new ProgressLog("Long work", nanos::get);
        for (int i = 0; i < 130; i++) {
            nanos.addAndGet(Duration.ofMillis(100).toNanos());
            progress.add(10);
        }
        assertThat(log.messages()).containsExactly("Long work: 510 so far", "Long work: 1020 so far");
    }
}
