package dev.ttlstore.engine.support;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

import dev.ttlstore.contract.LogRecorder;
import dev.ttlstore.exception.StoreException;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.spi.ILoggingEvent;

import static dev.ttlstore.contract.Assertions.assertThat;

class RetryLogTests {

    private static final String NAME = RetryLogTests.class.getName();

    private final LogRecorder log = new LogRecorder(NAME, Level.INFO);
    private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE); // as nanoTime() may be
    private final RetryLog retries = new RetryLog(LoggerFactory.getLogger(NAME), "The work has failed", nanos::get);

    @AfterEach
    void stopListening() {
        log.close();
    }

    @Test
    void aFailureIsOneLineWithItsReasonAndTheFirstCause() {
        retries.failed(
                away(new IllegalStateException("pool", new IllegalArgumentException("timed out\n  after 30 s"))));
        ILoggingEvent event = log.events().get(0);
        assertThat(event.getFormattedMessage())
                .isEqualTo("The work has failed: The database is away. Wait"
                        + " (java.lang.IllegalArgumentException: timed out after 30 s)");
        assertThat(event.getThrowableProxy()).isNull();
        assertThat(event.getLevel()).isEqualTo(Level.WARN);
    }

    @Test
    void aMistakeInAProgramHasItsStackTrace() {
        retries.failed(new NullPointerException("of a clock"));
        assertThat(log.messages()).containsExactly("The work has failed");
        assertThat(log.events().get(0).getThrowableProxy()).isNotNull();
    }

    @Test
    void whatGoesOnFailingIsSilentForAnHour() {
        retries.failed(away(null));
        nanos.addAndGet(TimeUnit.HOURS.toNanos(1) - 1);
        retries.failed(away(null));
        assertThat(log.messages()).hasSize(1);
        nanos.incrementAndGet();
        retries.failed(new IllegalStateException("after an hour"));
        retries.failed(away(null));
        assertThat(log.messages()).hasSize(2);
        assertThat(log.events().get(1).getThrowableProxy().getMessage()).isEqualTo("after an hour");
    }

    @Test
    void anotherReasonIsLoggedOnceItLasts() {
        OutOfMemoryError first = new OutOfMemoryError("for a moment");
        NoClassDefFoundError lasting = new NoClassDefFoundError("for good");
        for (int i = 0; i < 2; i++) { // those that alternate are one matter
            retries.failed(first);
            retries.failed(lasting);
            retries.failed(lasting);
        }
        assertThat(log.messages()).hasSize(1);
        for (int i = 0; i < 5; i++) {
            retries.failed(lasting);
        }
        assertThat(log.messages()).hasSize(2);
        assertThat(log.events().get(1).getThrowableProxy().getMessage()).isEqualTo("for good");
    }

    @Test
    void whatFailsThreeTimesInARowDoesNotRecoverByItself() {
        retries.failed(away(null));
        retries.failed(away(null));
        assertThat(retries.isFailing()).isFalse();
        retries.succeeded("works");
        retries.failed(away(null));
        retries.failed(away(null));
        assertThat(retries.isFailing()).isFalse();
        retries.failed(away(null));
        assertThat(retries.isFailing()).isTrue();
        retries.succeeded("works");
        assertThat(retries.isFailing()).isFalse();
    }

    @Test
    void thatItWorksAgainIsSaidOnceAndTheNextFailureIsNew() {
        retries.succeeded("works");
        retries.failed(away(null));
        retries.succeeded("works again");
        retries.succeeded("works still");
        retries.failed(away(null));
        assertThat(log.messages())
                .satisfiesExactly(
                        message -> assertThat(message).startsWith("The work has failed: "),
                        message -> assertThat(message).isEqualTo("works again"),
                        message -> assertThat(message).startsWith("The work has failed: "));
    }

    private static StoreException away(@Nullable Throwable cause) {
        return new StoreException("The database is away", "Wait", cause);
    }
}
