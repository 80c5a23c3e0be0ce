package dev.ttlstore.contract;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import dev.ttlstore.Counters;
import dev.ttlstore.Entry;
import dev.ttlstore.event.EntryPut;
import dev.ttlstore.exception.CodecException;

import static dev.ttlstore.contract.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

/** Numbers that are counted up and down. */
@Promise(2)
abstract class CountersContract extends ContractArea {

    private static final Duration HOUR = Duration.ofHours(1);

    private Counters counters() {
        return store().counters("group");
    }

    @Test
    void countingBeginsAtZero() {
        assertThat(counters().increment("key")).isEqualTo(1);
        assertThat(counters().increment("key")).isEqualTo(2);
        assertThat(counters().increment("key", 40)).isEqualTo(42);
        assertThat(counters().increment("key", -43)).isEqualTo(-1);
        assertThat(counters().increment("key", 0)).isEqualTo(-1);
        assertThat(counters().get("key")).contains(-1L);
        assertThat(counters().increment("down", -5)).isEqualTo(-5);
        assertThat(counters().increment("none", 0)).isZero();
        assertThat(counters().contains("none")).isTrue();
    }

    @ParameterizedTest
    @EnumSource
    @Promise({1, 2})
    void theTtlCountsOnlyWhereTheEntryIsCreated(Standing standing) {
        standing.prepare(this);
        if (standing.isLive()) {
            group().update("key", value -> "5");
        }
        Entry<String> before = group().entry("key").orElse(null);
        assertThat(counters().increment("key", 2, HOUR)).isEqualTo(standing.isLive() ? 7 : 2);
        Entry<Long> after = counters().entry("key").orElseThrow();
        if (before != null) {
            assertThat(after.expiresAt()).isEqualTo(before.expiresAt());
            assertThat(after.createdAt()).isEqualTo(before.createdAt());
        } else {
            assertThat(after.ttl()).isEqualTo(HOUR);
            assertThat(after.createdAt()).isEqualTo(clock.instant());
        }
    }

    @Test
    void aCounterThatIsCreatedWithoutATtlIsPermanent() {
        counters().increment("key");
        counters().increment("other", 5);
        assertThat(counters().entries().map(Entry::expiresAt)).containsOnlyNulls();
    }

    @Test
    void aWindowOfTimeEndsWhenItShouldAndBeginsAnew() {
        counters().increment("key", 1, Duration.ofMillis(10));
        advanceMillis(9);
        assertThat(counters().increment("key", 1, Duration.ofMillis(10))).isEqualTo(2);
        assertThat(counters().increment("key")).isEqualTo(3);
        advanceMillis(1);
        assertThat(counters().get("key")).isEmpty();
        assertThat(counters().increment("key", 1, Duration.ofMillis(10))).isEqualTo(1);
        advanceMillis(9);
        assertThat(counters().get("key")).contains(1L);
    }

    @ParameterizedTest
    @ValueSource(longs = {Long.MAX_VALUE, Long.MIN_VALUE})
    void aCounterThatWouldLeaveItsRangeIsRefusedAndLeftAsItIs(long edge) {
        counters().put("key", edge, HOUR);
        Entry<Long> before = counters().entry("key").orElseThrow();
        Recorder recorder = record();
        long beyond = edge > 0 ? 1 : -1;
        assertThatExceptionOfType(ArithmeticException.class)
                .isThrownBy(() -> counters().increment("key", beyond));
        assertThatExceptionOfType(ArithmeticException.class)
                .isThrownBy(() -> counters().increment("key", edge, HOUR));
        assertThat(counters().entry("key")).contains(before);
        assertThat(recorder.events()).isEmpty();
        assertThat(counters().increment("key", -beyond)).isEqualTo(edge - beyond);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "text", "1.5", " 1", "9223372036854775808"})
    void whatIsNoNumberCannotBeCountedAndIsLeftAsItIs(String value) {
        group().put("key", value);
        assertThatExceptionOfType(CodecException.class)
                .isThrownBy(() -> counters().increment("key"));
        assertThat(group().get("key")).contains(value);
    }

    @Test
    void aBadTtlIsRefusedAlsoWhereItWouldNotCount() {
        counters().put("key", 5L);
        assertThatIllegalArgumentException().isThrownBy(() -> counters().increment("key", 1, Duration.ZERO));
        assertThatIllegalArgumentException().isThrownBy(() -> counters().increment("key", 1, HOUR.negated()));
        assertThatNullPointerException()
                .isThrownBy(() -> counters().increment("key", 1, ContractArea.<Duration>nothing()));
        assertThatNullPointerException().isThrownBy(() -> counters().increment(nothing()));
        assertThatIllegalArgumentException().isThrownBy(() -> counters().increment(""));
        assertThat(counters().get("key")).contains(5L);
    }

    @Test
    @Promise(13)
    void eachIncrementTellsOneEvent() {
        Recorder recorder = record();
        counters().increment("key");
        counters().increment("key");
        assertThat(recorder.events()).hasSize(2);
        assertThat(recorder.events(EntryPut.class))
                .extracting(EntryPut::created)
                .containsExactly(true, false);
    }

    @Test
    @Promise(10)
    void noIncrementOfManyThreadsIsLostAndEachGetsANumberOfItsOwn() {
        List<List<Long>> numbers = Threads.together(8, thread -> IntStream.range(0, 100)
                .mapToObj(i -> counters().increment("key", 1, HOUR))
                .toList());
        assertThat(counters().get("key")).contains(800L);
        assertThat(numbers.stream().flatMap(Collection::stream))
                .doesNotHaveDuplicates()
                .hasSize(800);
        assertThat(numbers).allSatisfy(mine -> assertThat(mine).isSorted());
        assertThat(counters().entry("key").orElseThrow().ttl()).isEqualTo(HOUR);
    }
}
