package dev.ttlstore.contract;

import java.time.Duration;
import java.time.Instant;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import dev.ttlstore.Entry;

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
    void whatIsLeftOfAnEntryIsToldByTheStoresTime() {
        assertThat(store().now()).isEqualTo(MovableClock.START);
        group().put("key", "value", Duration.ofMinutes(10));
        clock.advance(Duration.ofMinutes(4));
        assertThat(store().scope("acme").now()).isEqualTo(MovableClock.START.plusSeconds(240));
        Entry<String> entry = group().entry("key").orElseThrow();
        assertThat(Duration.between(store().now(), entry.expiresAt())).isEqualTo(entry.ttl());
        clock.advance(Duration.ofHours(-1));
        assertThat(store().now()).isEqualTo(MovableClock.START.plusSeconds(240));
    }

    @Test
    void withinATransactionTimeStandsStill() {
        store().transactWithoutResult(tx -> {
            Instant before = tx.now();
            clock.advance(Duration.ofMinutes(1));
            assertThat(tx.now()).isEqualTo(before);
        });
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
