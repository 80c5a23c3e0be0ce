package dev.ttlstore.contract;

import java.time.Duration;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static dev.ttlstore.contract.Assertions.assertThat;

/** Time never runs backwards inside a store. */
@Promise(5)
abstract class ClockContract extends ContractArea {

    @ParameterizedTest
    @EnumSource
    void aClockThatStepsBackDoesNotBringAnExpiredEntryBack(Sight sight) {
        group().put("key", "value", Duration.ofMinutes(10));
        clock.advance(Duration.ofMinutes(10));
        assertThat(group().get("key")).isEmpty();
        clock.advance(Duration.ofMinutes(-9));
        assertThat(sight.sees(store(), group())).isFalse();
    }

    @Test
    void timeStandsStillUntilTheClockHasCaughtUp() {
        clock.advance(Duration.ofMinutes(10));
        group().put("key", "value", Duration.ofMinutes(1));
        clock.advance(Duration.ofMinutes(-10));
        assertThat(group().entry("key").orElseThrow().ttl()).isEqualTo(Duration.ofMinutes(1));
        clock.advance(Duration.ofMinutes(10));
        assertThat(group().entry("key").orElseThrow().ttl()).isEqualTo(Duration.ofMinutes(1));
        clock.advance(Duration.ofSeconds(59));
        assertThat(group().entry("key").orElseThrow().ttl()).isEqualTo(Duration.ofSeconds(1));
    }

    @Test
    void timestampsDoNotStepBackEither() {
        Recorder recorder = record();
        group().put("first", "value");
        clock.advance(Duration.ofHours(-1));
        group().put("second", "value");
        assertThat(recorder.events()).hasSize(2).allMatch(event -> event.timestamp()
                .equals(MovableClock.START));
        assertThat(group().entry("second").orElseThrow().createdAt()).isEqualTo(MovableClock.START);
    }

    @Test
    void anExpiryBeforeTheStoresTimeIsPastThoughTheClockIsBehindIt() {
        group().put("key", "value");
        clock.advance(Duration.ofHours(-1));
        group().put("key", "value", clock.instant().plusSeconds(60));
        assertThat(group().contains("key")).isFalse();
    }
}
