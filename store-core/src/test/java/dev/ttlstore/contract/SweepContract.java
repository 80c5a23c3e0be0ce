package dev.ttlstore.contract;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;

import org.junit.jupiter.api.Test;

import dev.ttlstore.Entry;
import dev.ttlstore.ExpiringEntry;
import dev.ttlstore.Expiry;
import dev.ttlstore.KeyRange;
import dev.ttlstore.Transaction;
import dev.ttlstore.event.EntryDeleted;
import dev.ttlstore.event.EntryExpired;

import static dev.ttlstore.contract.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

/** The end of many entries at once: by age, or by a new expiry. */
@Promise(7)
abstract class SweepContract extends ContractArea {

    private static final Duration HOUR = Duration.ofHours(1);

    @Test
    void aSweepRemovesWhatWasCreatedThatLongAgoOrEarlier() {
        group().put("old", "value");
        advanceMillis(1);
        group().put("of that age", "value", HOUR);
        advanceMillis(1);
        group().put("younger", "value");
        advanceMillis(9);
        store().group("other").put("key", "value");
        Recorder recorder = record();
        assertThat(group().sweep(Duration.ofMillis(10))).isEqualTo(2);
        assertThat(group().keys()).containsExactly("younger");
        assertThat(recorder.events()).hasSize(2);
        assertThat(recorder.events(EntryDeleted.class)).hasSize(2);
        assertThat(group().sweep(Duration.ofMillis(10))).isZero();
        assertThat(store().group("other").count()).isEqualTo(1);
    }

    @Test
    void overwritingDoesNotMakeAnEntryYounger() {
        group().put("overwritten", "value");
        group().put("created again", "value");
        group().put("expired and put again", "value", Duration.ofMillis(5));
        advanceMillis(10);
        group().put("overwritten", "other");
        group().update("overwritten", value -> "updated");
        group().expire("overwritten", HOUR);
        group().delete("created again");
        group().put("created again", "value");
        group().put("expired and put again", "value");
        assertThat(group().sweep(Duration.ofMillis(10))).isEqualTo(1);
        assertThat(group().keys()).containsExactly("created again", "expired and put again");
    }

    @Test
    @Promise({1, 13})
    void aSweepLeavesWhatHasExpiredToBeToldAsExpired() {
        group().put("expired", "value", Duration.ofMillis(5));
        group().put("live", "value");
        advanceMillis(5);
        Recorder recorder = record();
        assertThat(group().sweep(Duration.ZERO)).isEqualTo(1);
        store().purgeExpired();
        assertThat(recorder.events(EntryDeleted.class))
                .extracting(EntryDeleted::key)
                .containsExactly("live");
        assertThat(recorder.events(EntryExpired.class))
                .extracting(EntryExpired::key)
                .containsExactly("expired");
    }

    @Test
    void aSweepGoesThroughManyEntriesAndWritersGetInBetween() {
        fill(1_100);
        store().onChange(event -> {
            if (event instanceof EntryDeleted && !store().group("other").contains("written")) {
                store().group("other").put("written", String.valueOf(group().count()));
            }
        });
        assertThat(group().sweep(Duration.ZERO)).isEqualTo(1_100);
        int left = Integer.parseInt(store().group("other").get("written").orElseThrow());
        assertThat(left).isBetween(1, 1_099);
    }

    @Test
    void aSweepOfAnAgeThatNothingHasRemovesNothing() {
        fill(3);
        assertThat(group().sweep(Duration.ofMillis(1))).isZero();
        assertThat(group().sweep(Duration.ofSeconds(Long.MAX_VALUE))).isZero();
        assertThat(group().sweep(Duration.ZERO)).isEqualTo(3);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> group().sweep(Duration.ofNanos(-1)))
                .withMessageContaining("'maxAge'");
        assertThatNullPointerException()
                .isThrownBy(() -> group().sweep(nothing()))
                .withMessageContaining("'maxAge'");
    }

    @Test
    @Promise({7, 13})
    void expireAllExpiresNowAndEachEntryIsToldOnceWithItsTrueExpiry() {
        group().put("permanent", "value");
        group().put("shorter", "value", Duration.ofMillis(20));
        group().put("longer", "value", HOUR);
        group().put("gone before", "value", Duration.ofMillis(5));
        store().group("other").put("key", "value");
        Recorder recorder = record();
        advanceMillis(10);
        assertThat(group().expireAllNow()).isEqualTo(3);
        assertThat(group().getAll()).isEmpty();
        assertThat(group().count()).isZero();
        assertThat(store().groups()).containsExactly("other");
        assertThat(group().expireAllNow()).isZero();
        advanceMillis(50);
        store().purgeExpired();
        store().purgeExpired();
        Map<String, Instant> told = recorder.events(EntryExpired.class).stream()
                .collect(Collectors.toMap(EntryExpired::key, EntryExpired::expiresAt));
        assertThat(told)
                .containsOnly(
                        Map.entry("gone before", MovableClock.START.plusMillis(5)),
                        Map.entry("permanent", MovableClock.START.plusMillis(10)),
                        Map.entry("shorter", MovableClock.START.plusMillis(10)),
                        Map.entry("longer", MovableClock.START.plusMillis(10)));
        assertThat(recorder.events()).hasSize(4);
    }

    @Test
    @Promise({2, 7})
    void expireAllAfterATimeSetsItForAllWhateverTheyHad() {
        group().put("permanent", "value");
        group().put("shorter", "value", Duration.ofMillis(20));
        group().put("longer", "value", HOUR);
        group().put("gone before", "value", Duration.ofMillis(5));
        long version = group().entry("permanent").orElseThrow().version();
        advanceMillis(10);
        assertThat(group().expireAll(Duration.ofMillis(30))).isEqualTo(3);
        assertThat(group().entries().map(Entry::expiresAt)).containsOnly(MovableClock.START.plusMillis(40));
        assertThat(group().entry("permanent").orElseThrow().version()).isEqualTo(version);
        assertThat(store().expiring(MovableClock.START, MovableClock.START.plusMillis(41))
                        .map(ExpiringEntry::key))
                .containsExactlyInAnyOrder("longer", "permanent", "shorter");
        advanceMillis(29);
        assertThat(group().count()).isEqualTo(3);
        advanceMillis(1);
        assertThat(group().count()).isZero();
        assertThat(store().purgeExpired()).isEqualTo(4);
    }

    @Test
    @Promise(2)
    void expireAllAfterATimeThatIsNoneIsRefused() {
        fill(1);
        assertThatIllegalArgumentException().isThrownBy(() -> group().expireAll(Duration.ZERO));
        assertThatIllegalArgumentException().isThrownBy(() -> group().expireAll(HOUR.negated()));
        assertThatNullPointerException().isThrownBy(() -> group().expireAll(ContractArea.<Duration>nothing()));
        assertThat(group().entries().map(Entry::expiresAt)).containsOnlyNulls();
    }

    @Test
    @Promise({3, 7})
    void anEntryThatIsPutAgainAfterExpireAllLives() {
        fill(2);
        group().expireAllNow();
        group().put("key0", "anew");
        store().purgeExpired();
        assertThat(group().getAll()).containsOnly(Map.entry("key0", "anew"));
    }

    @Test
    void expireAllGoesThroughManyEntriesAndAnInterruptedThreadEndsEarly() {
        fill(1_100);
        Thread.currentThread().interrupt();
        long expired = group().expireAllNow();
        assertThat(Thread.interrupted()).isTrue();
        assertThat(expired).isBetween(1L, 1_099L);
        assertThat(group().count()).isEqualTo(1_100 - expired);
        assertThat(group().expireAllNow()).isEqualTo(1_100 - expired);
        assertThat(store().purgeExpired()).isEqualTo(1_100);
    }

    @Test
    @Promise(8)
    void anInterruptEndsNothingWithinATransaction() {
        for (ToLongFunction<Transaction> work : List.<ToLongFunction<Transaction>>of(
                tx -> tx.group("group").expireAll(HOUR),
                tx -> tx.group("group").expireAll(KeyRange.prefix("key"), Expiry.never()),
                tx -> tx.expirePrefix("", Expiry.after(HOUR)),
                tx -> tx.group("group").sweep(Duration.ZERO),
                tx -> tx.sweep(Duration.ZERO),
                tx -> tx.group("group").clear(KeyRange.all()),
                tx -> tx.group("group").clear(),
                tx -> tx.group("group").expireAllNow())) {
            fill(600);
            Thread.currentThread().interrupt();
            long changed = store().transact(work::applyAsLong);
            assertThat(Thread.interrupted()).isTrue();
            assertThat(changed).isEqualTo(600);
        }
        assertThat(group().count()).isZero();
    }
}
