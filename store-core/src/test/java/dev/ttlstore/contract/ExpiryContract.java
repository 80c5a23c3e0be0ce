package dev.ttlstore.contract;

import java.time.Duration;
import java.time.Instant;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static dev.ttlstore.contract.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

/** When an entry is visible: all operations agree on the millisecond. */
@Promise(1)
abstract class ExpiryContract extends ContractArea {

    @ParameterizedTest
    @EnumSource
    void anEntryIsVisibleInItsLastMillisecond(Sight sight) {
        group().put("key", "value", Duration.ofSeconds(1));
        advanceMillis(999);
        assertThat(sight.sees(store(), group())).isTrue();
    }

    @ParameterizedTest
    @EnumSource
    void anEntryIsGoneFromTheMillisecondOfItsExpiry(Sight sight) {
        group().put("key", "value", Duration.ofSeconds(1));
        advanceMillis(1_000);
        assertThat(sight.sees(store(), group())).isFalse();
    }

    @ParameterizedTest
    @EnumSource
    void anEntryIsVisibleInTheMillisecondBeforeAGivenInstant(Sight sight) {
        group().put("key", "value", MovableClock.START.plusMillis(1_000));
        advanceMillis(999);
        assertThat(sight.sees(store(), group())).isTrue();
    }

    @ParameterizedTest
    @EnumSource
    void anEntryIsGoneAtAGivenInstant(Sight sight) {
        group().put("key", "value", MovableClock.START.plusMillis(1_000));
        advanceMillis(1_000);
        assertThat(sight.sees(store(), group())).isFalse();
    }

    @ParameterizedTest
    @EnumSource
    void aPermanentEntryIsVisibleForGood(Sight sight) {
        group().put("key", "value");
        clock.set(Instant.parse("2999-01-01T00:00:00Z"));
        if (sight == Sight.EXPIRE_AT) {
            return; // its instant has passed by then, which is refused
        }
        assertThat(sight.sees(store(), group())).isTrue();
    }

    @ParameterizedTest
    @EnumSource
    void anExpiredEntryStaysGoneOnceAPurgeHasRemovedIt(Sight sight) {
        group().put("key", "value", Duration.ofMillis(1));
        advanceMillis(1);
        store().purgeExpired();
        if (sight == Sight.NOT_PURGED) {
            return; // nothing is left to be purged
        }
        assertThat(sight.sees(store(), group())).isFalse();
    }

    @Test
    @Promise({1, 7})
    void itCanBeCountedWhatWillStillLiveAtATime() {
        group().put("permanent", "value");
        group().put("short", "value", Duration.ofMinutes(1));
        group().put("long", "value", Duration.ofHours(1));
        store().group("other").put("key", "value");
        Instant now = clock.instant();
        assertThat(group().count(now)).isEqualTo(3);
        assertThat(group().count(now.plusSeconds(60).minusMillis(1))).isEqualTo(3);
        assertThat(group().count(now.plusSeconds(60))).isEqualTo(2);
        assertThat(group().count(now.plusSeconds(3600))).isEqualTo(1);
        assertThat(group().count(Instant.MAX)).isEqualTo(1);
        advanceMillis(60_000);
        assertThat(group().count(now)).isEqualTo(2);
        assertThat(store().<Long>transact(tx -> {
                    tx.group("group").put("new", "value", Duration.ofMinutes(2));
                    return tx.group("group").count(clock.instant().plusSeconds(60));
                }))
                .isEqualTo(3);
        assertThatNullPointerException()
                .isThrownBy(() -> group().count(ContractArea.<Instant>nothing()))
                .withMessageContaining("'at'");
    }

    @Test
    void anEntryTellsWhatIsLeftOfItsLifeAndNeverZero() {
        group().put("key", "value", Duration.ofSeconds(1));
        assertThat(group().entry("key").orElseThrow().ttl()).isEqualTo(Duration.ofSeconds(1));
        advanceMillis(999);
        assertThat(group().entry("key").orElseThrow().ttl()).isEqualTo(Duration.ofMillis(1));
    }

    @Test
    void aPermanentEntryTellsNoExpiry() {
        group().put("key", "value");
        assertThat(group().entry("key").orElseThrow().expiresAt()).isNull();
        assertThat(group().entry("key").orElseThrow().ttl()).isNull();
    }

    @Test
    void expiredEntriesAmongLiveOnesAreLeftOutOfEverything() {
        group().put("gone", "1", Duration.ofMillis(10));
        group().put("kept", "2", Duration.ofMillis(11));
        group().put("permanent", "3");
        store().group("other").put("gone", "4", Duration.ofMillis(10));
        advanceMillis(10);

        assertThat(group().getAll()).containsOnlyKeys("kept", "permanent");
        assertThat(group().count()).isEqualTo(2);
        assertThat(store().count()).isEqualTo(2);
        assertThat(store().groups()).containsExactly("group");
        assertThat(store().stats().entries()).isEqualTo(2);
        assertThat(store().stats().expired()).isEqualTo(2);
    }
}
