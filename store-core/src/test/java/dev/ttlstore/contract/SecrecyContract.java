package dev.ttlstore.contract;

import java.time.Duration;
import java.time.Instant;

import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import dev.ttlstore.event.Watch;
import dev.ttlstore.event.WatchOptions;
import dev.ttlstore.event.WatchSignal;
import dev.ttlstore.exception.StoreClosedException;
import dev.ttlstore.exception.ValueTooLargeException;

import ch.qos.logback.classic.Level;

import static dev.ttlstore.contract.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

/** Keys and values may be secrets: nothing that is printed or logged holds one. */
@Promise(13)
abstract class SecrecyContract extends ContractArea {

    private static final String MARKER = "s3cr3t";

    @Test
    void anEntryDoesNotPrintItsKeyOrValue() {
        group().put(MARKER, MARKER, Duration.ofHours(1));
        assertThat(group().entry(MARKER).orElseThrow().toString()).doesNotContain(MARKER);
    }

    @Test
    void anEventDoesNotPrintAKeyOrValue() {
        Recorder recorder = record();
        group().put(MARKER, MARKER, Duration.ofMillis(1));
        advanceMillis(1);
        store().purgeExpired();
        group().put(MARKER, MARKER);
        group().delete(MARKER);
        group().put(MARKER, MARKER);
        group().clear();
        assertThat(recorder.events()).hasSize(6).allSatisfy(event -> assertThat(event.toString())
                .doesNotContain(MARKER)
                .contains(event.getClass().getSimpleName(), String.valueOf(event.sequence()), "group"));
    }

    @Test
    void theOptionsOfAWatchDoNotPrintItsKeys() {
        WatchOptions options = WatchOptions.defaults().ofGroup("group");
        assertThat(options.ofKey(MARKER).toString())
                .doesNotContain(MARKER)
                .contains("capacity=1024", "group=group", "ofKey=true", "ofKeyPrefix=false");
        assertThat(options.ofKeyPrefix(MARKER).withExisting().toString())
                .doesNotContain(MARKER)
                .contains("ofKey=false", "ofKeyPrefix=true", "existing=true");
    }

    @Test
    void noSignalPrintsAKeyOrValue() {
        group().put(MARKER, MARKER);
        WatchOptions options = WatchOptions.defaults().withExisting().withValues();
        try (Watch watch = group().watch(options)) {
            assertThat(watch.poll().orElseThrow().toString()).doesNotContain(MARKER);
            assertThat(watch.poll()).containsInstanceOf(WatchSignal.UpToDate.class);
            group().put(MARKER, MARKER);
            assertThat(watch.poll().orElseThrow().toString()).doesNotContain(MARKER);
        }
    }

    @Test
    void noExceptionPrintsAKeyOrValue() {
        open(settings().maxValueSize(100));
        group().put(MARKER, MARKER);
        assertSecret(() -> group().put("x".repeat(2_000) + MARKER, "value"));
        assertSecret(() -> group().put(MARKER + "\0", "value"));
        assertSecret(() -> group().put(MARKER + "\uD83D", "value"));
        assertSecret(() -> group().put(MARKER, MARKER + "\uD83D"));
        assertSecret(() -> group().put(MARKER, MARKER, Duration.ZERO));
        assertSecret(() -> group().put(MARKER, MARKER, Instant.MAX));
        assertSecret(() -> group().put(MARKER, nothing()));
        assertSecret(() -> store().group("group", Long.class).get(MARKER));
        assertThat(assertSecret(() -> group().put(MARKER, MARKER.repeat(100))))
                .isInstanceOf(ValueTooLargeException.class);
        store().group("group", byte[].class).put(MARKER, new byte[] {'s', '3', 'c', 'r', '3', 't', -1});
        assertSecret(() -> group().get(MARKER));
        assertSecret(() -> store().group(MARKER, Thread.class));
        store().close();
        assertThat(assertSecret(() -> group().put(MARKER, MARKER))).isInstanceOf(StoreClosedException.class);
    }

    @Test
    void nothingThatIsLoggedHoldsAKeyOrValue() {
        try (LogRecorder log = new LogRecorder("dev.ttlstore", Level.TRACE)) {
            store().onChange(event -> {
                throw new IllegalStateException("thrown on purpose");
            });
            group().put(MARKER, MARKER, Duration.ofMillis(1));
            advanceMillis(1);
            store().purgeExpired();
            group().put(MARKER, MARKER);
            group().take(MARKER);
            clock.advance(Duration.ofHours(-1));
            group().get(MARKER);
            store().close();
            assertThat(log.messages()).isNotEmpty().allSatisfy(message -> assertThat(message)
                    .doesNotContain(MARKER));
        }
    }

    private static Throwable assertSecret(ThrowingCallable call) {
        Throwable thrown = catchThrowable(call);
        assertThat(thrown).isNotNull();
        for (@Nullable Throwable cause = thrown; cause != null; cause = cause.getCause()) {
            assertThat(cause.toString()).doesNotContain(MARKER);
        }
        return thrown;
    }
}
