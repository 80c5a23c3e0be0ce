package dev.ttlstore.contract;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import dev.ttlstore.Entry;
import dev.ttlstore.exception.ValueTooLargeException;

import static dev.ttlstore.contract.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

/** A new value made of the one that stands. */
@Promise(2)
abstract class UpdateContract extends ContractArea {

    @ParameterizedTest
    @EnumSource
    @Promise({1, 2})
    void anUpdateChangesALiveEntryAndCreatesNone(Standing standing) {
        standing.prepare(this);
        AtomicInteger calls = new AtomicInteger();
        boolean updated = group().update("key", value -> {
                    calls.incrementAndGet();
                    return value + "!";
                })
                .isPresent();
        assertThat(updated).isEqualTo(standing.isLive());
        assertThat(calls).hasValue(standing.isLive() ? 1 : 0);
        assertThat(group().contains("key")).isEqualTo(standing.isLive());
    }

    @Test
    void anUpdateAnswersTheNewValueAndKeepsTheExpiryThatStands() {
        group().put("key", "a", Duration.ofMillis(10));
        advanceMillis(4);
        assertThat(group().update("key", value -> value + "b")).contains("ab");
        Entry<String> entry = group().entry("key").orElseThrow();
        assertThat(entry.value()).isEqualTo("ab");
        assertThat(entry.ttl()).isEqualTo(Duration.ofMillis(6));
        assertThat(entry.createdAt()).isEqualTo(MovableClock.START);
        assertThat(entry.updatedAt()).isEqualTo(clock.instant());
        advanceMillis(6);
        assertThat(group().get("key")).isEmpty();
    }

    @Test
    void anUpdateOfAPermanentEntryLeavesItPermanent() {
        group().put("key", "a");
        group().update("key", value -> value + "b");
        assertThat(group().entry("key").orElseThrow().expiresAt()).isNull();
    }

    @Test
    void anUpdateKeepsTheExpiryThatWasSetWhileItWasMade() {
        group().put("key", "a", Duration.ofHours(1));
        group().update("key", value -> {
            group().expire("key", Duration.ofHours(2));
            return value + "b";
        });
        assertThat(group().entry("key").orElseThrow().ttl()).isEqualTo(Duration.ofHours(2));
    }

    @Test
    @Promise(8)
    void anUpdateWhoseFunctionThrowsChangesNothing() {
        group().put("key", "value", Duration.ofHours(1));
        Entry<String> before = group().entry("key").orElseThrow();
        Recorder recorder = record();
        assertThatIllegalStateException()
                .isThrownBy(() -> group().update("key", value -> {
                    throw new IllegalStateException("mine");
                }))
                .withMessage("mine");
        assertThat(group().entry("key")).contains(before);
        assertThat(recorder.events()).isEmpty();
    }

    @Test
    @Promise(8)
    void anUpdateToNothingOrTooMuchIsRefusedAndChangesNothing() {
        open(settings().maxValueSize(10));
        group().put("key", "value");
        Entry<String> before = group().entry("key").orElseThrow();
        assertThatNullPointerException()
                .isThrownBy(() -> group().update("key", value -> nothing()))
                .withMessageContaining("'change'");
        assertThatExceptionOfType(ValueTooLargeException.class)
                .isThrownBy(() -> group().update("key", value -> "12345678901"));
        assertThat(group().entry("key")).contains(before);
    }

    @Test
    @Promise(8)
    void anUpdateIsMadeAgainWhenSomebodyElseWasFaster() {
        group().put("key", "a");
        AtomicInteger calls = new AtomicInteger();
        assertThat(group().update("key", value -> {
                    if (calls.incrementAndGet() == 1) {
                        group().put("key", "b", Duration.ofHours(1));
                    }
                    return value + "!";
                }))
                .contains("b!");
        assertThat(calls).hasValue(2);
        assertThat(group().entry("key").orElseThrow().ttl()).isEqualTo(Duration.ofHours(1));
    }

    @Test
    @Promise(8)
    void anUpdateOfWhatWasDeletedOrHasExpiredMeanwhileCreatesNothing() {
        group().put("deleted", "value");
        assertThat(group().update("deleted", value -> {
                    group().delete("deleted");
                    return "other";
                }))
                .isEmpty();
        group().put("expired", "value", Duration.ofMillis(1));
        assertThat(group().update("expired", value -> {
                    advanceMillis(1);
                    return "other";
                }))
                .isEmpty();
        assertThat(group().count()).isZero();
    }

    @Test
    @Promise(10)
    void noUpdateOfManyThreadsIsLost() {
        group().put("key", "0", Duration.ofHours(1));
        int updates = Effort.of(20, 50);
        Threads.together(8, thread -> {
            for (int i = 0; i < updates; i++) {
                assertThat(group().update("key", number -> String.valueOf(Integer.parseInt(number) + 1)))
                        .isPresent();
            }
            return thread;
        });
        assertThat(group().get("key")).contains(String.valueOf(8 * updates));
        assertThat(group().entry("key").orElseThrow().ttl()).isEqualTo(Duration.ofHours(1));
    }
}
