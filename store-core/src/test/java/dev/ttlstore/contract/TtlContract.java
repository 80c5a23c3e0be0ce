package dev.ttlstore.contract;

import java.time.Duration;
import java.time.Instant;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import dev.ttlstore.Entry;

import static dev.ttlstore.contract.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/** How an expiry is set, set anew and taken away. */
@Promise(2)
abstract class TtlContract extends ContractArea {

    @Test
    void aPutWithoutATtlMakesAnEntryPermanent() {
        group().put("key", "first", Duration.ofMillis(10));
        group().put("key", "second");
        advanceMillis(10);
        assertThat(group().get("key")).contains("second");
    }

    @Test
    void aPutWithATtlSetsItAnew() {
        group().put("key", "first", Duration.ofMillis(10));
        advanceMillis(9);
        group().put("key", "second", Duration.ofMillis(10));
        advanceMillis(9);
        assertThat(group().get("key")).contains("second");
        advanceMillis(1);
        assertThat(group().get("key")).isEmpty();
    }

    @Test
    void aPutWithATtlGivesAPermanentEntryAnEnd() {
        group().put("key", "first");
        group().put("key", "second", Duration.ofMillis(10));
        advanceMillis(10);
        assertThat(group().get("key")).isEmpty();
    }

    @Test
    void anAddedEntryExpiresToo() {
        String key = group().add("value", Duration.ofMillis(10));
        advanceMillis(9);
        assertThat(group().get(key)).contains("value");
        advanceMillis(1);
        assertThat(group().get(key)).isEmpty();
    }

    @Test
    void aTtlOfANanosecondLastsAMillisecond() {
        group().put("key", "value", Duration.ofNanos(1));
        assertThat(group().get("key")).contains("value");
        advanceMillis(1);
        assertThat(group().get("key")).isEmpty();
    }

    @Test
    void aFractionOfAMillisecondIsRoundedUp() {
        group().put("key", "value", Duration.ofNanos(1_000_001));
        assertThat(group().entry("key").orElseThrow().ttl()).isEqualTo(Duration.ofMillis(2));
        group().put("key", "value", MovableClock.START.plusNanos(1_000_001));
        assertThat(group().entry("key").orElseThrow().expiresAt()).isEqualTo(MovableClock.START.plusMillis(2));
    }

    @ParameterizedTest
    @ValueSource(strings = {"PT0S", "PT-0.000000001S", "PT-1H", "PT2562047788015215H30M7S", "PT-2562047788015215H"})
    void aTtlThatIsNotMoreThanZeroOrOverflowsIsRefusedBeforeAnythingIsWritten(Duration ttl) {
        group().put("key", "value", Duration.ofHours(1));
        Entry<String> before = group().entry("key").orElseThrow();
        Recorder recorder = record();

        assertThatIllegalArgumentException()
                .isThrownBy(() -> group().put("key", "other", ttl))
                .withMessageContaining("'ttl'");
        assertThatIllegalArgumentException().isThrownBy(() -> group().add("other", ttl));
        assertThatIllegalArgumentException().isThrownBy(() -> group().expire("key", ttl));

        assertThat(group().entry("key")).contains(before);
        assertThat(group().count()).isEqualTo(1);
        assertThat(recorder.events()).isEmpty();
    }

    @Test
    void anExpiryThatOverflowsIsRefusedBeforeAnythingIsWritten() {
        Instant expiresAt = Instant.MAX;
        group().put("key", "value", Duration.ofHours(1));
        Entry<String> before = group().entry("key").orElseThrow();

        assertThatIllegalArgumentException()
                .isThrownBy(() -> group().put("key", "other", expiresAt))
                .withMessageContaining("'expiresAt'");
        assertThatIllegalArgumentException().isThrownBy(() -> group().expire("key", expiresAt));

        assertThat(group().entry("key")).contains(before);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "2026-01-01T00:00:00Z",
                "2025-12-31T23:59:59.999Z",
                "1970-01-01T00:00:00Z",
                "-1000000000-01-01T00:00:00Z"
            })
    void anExpiryThatIsNotInTheFutureMeansNow(Instant expiresAt) {
        group().put("put", "value", expiresAt);
        group().put("key", "value");
        assertThat(group().expire("key", expiresAt)).isTrue();
        assertThat(group().count()).isZero();
        assertThat(store().purgeExpired()).isEqualTo(2);
    }

    @Test
    void aTtlOfAMillionYearsIsKept() {
        Duration ttl = Duration.ofDays(365_250_000);
        group().put("key", "value", ttl);
        assertThat(group().entry("key").orElseThrow().expiresAt()).isEqualTo(MovableClock.START.plus(ttl));
    }

    @Test
    void expireAndPersistLeaveValueVersionAndTimesAsTheyAre() {
        group().put("key", "value", Duration.ofMinutes(1));
        Entry<String> before = group().entry("key").orElseThrow();
        advanceMillis(5);
        Duration ttl = Duration.ofMinutes(2);

        assertThat(group().expire("key", ttl)).isTrue();
        assertThat(group().entry("key"))
                .contains(new Entry<>(
                        "key",
                        "value",
                        before.version(),
                        before.createdAt(),
                        before.updatedAt(),
                        clock.instant().plus(ttl),
                        ttl));

        assertThat(group().persist("key")).isTrue();
        assertThat(group().entry("key"))
                .contains(new Entry<>(
                        "key", "value", before.version(), before.createdAt(), before.updatedAt(), null, null));
    }

    @Test
    void persistAnswersTrueForAnEntryThatIsPermanentAlready() {
        group().put("key", "value");
        assertThat(group().persist("key")).isTrue();
        assertThat(group().persist("missing")).isFalse();
    }

    @Test
    @Promise({2, 3})
    void aLifeCutShortEndsEarly() {
        group().put("key", "value", Duration.ofHours(1));
        group().expire("key", Duration.ofMillis(5));
        advanceMillis(5);
        assertThat(group().get("key")).isEmpty();
        assertThat(store().purgeExpired()).isEqualTo(1);
    }

    @Test
    @Promise(3)
    void aRenewedEntryOutlivesItsOldExpiryThroughAPurge() {
        group().put("renewed", "value", Duration.ofMillis(10));
        group().put("put anew", "value", Duration.ofMillis(10));
        group().put("persisted", "value", Duration.ofMillis(10));
        group().put("put for good", "value", Duration.ofMillis(10));
        group().expire("renewed", Duration.ofMillis(20));
        group().put("put anew", "value", Duration.ofMillis(20));
        group().persist("persisted");
        group().put("put for good", "value");
        advanceMillis(19);

        assertThat(store().purgeExpired()).isZero();
        assertThat(group().count()).isEqualTo(4);

        advanceMillis(1);
        assertThat(store().purgeExpired()).isEqualTo(2);
        assertThat(group().getAll()).containsOnlyKeys("persisted", "put for good");
    }

    @Test
    @Promise(3)
    void aValuePutInPlaceOfAnExpiredOneSurvivesThePurge() {
        group().put("key", "old", Duration.ofMillis(10));
        advanceMillis(10);
        assertThat(group().get("key")).isEmpty();
        group().put("key", "new");
        assertThat(store().purgeExpired()).isZero();
        assertThat(group().get("key")).contains("new");
    }
}
