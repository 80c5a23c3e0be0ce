package dev.ttlstore.contract;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

import dev.ttlstore.Entry;
import dev.ttlstore.Expiry;
import dev.ttlstore.StoreBuilder;
import dev.ttlstore.event.EntryExpired;
import dev.ttlstore.event.Subscription;
import dev.ttlstore.expiry.ExpirySettings;

import static dev.ttlstore.contract.Assertions.assertThat;

/** A clock that was ten years ahead for a moment. Once it is right again, nothing that was written meanwhile lives longer than its ttl. */
@Promise(5)
abstract class LeapContract extends ContractArea {

    private static final Duration LEAD = Duration.ofDays(3_650);

    private static final Duration TTL = Duration.ofSeconds(30);

    private static final Duration LONG = Duration.ofDays(7_300);

    private void leapAhead() {
        clock.advance(LEAD);
    }

    private void comeBack() {
        clock.advance(LEAD.negated());
    }

    private Optional<Duration> ttl(String key) {
        return group().entry(key).map(Entry::ttl);
    }

    private Optional<Instant> expiresAt(String key) {
        return group().entry(key).map(Entry::expiresAt);
    }

    @Test
    void whatWasWrittenMeanwhileLivesForItsTtlFromThen() {
        group().put("before", "value", Duration.ofHours(1));
        group().put("replaced", "value", LONG);
        leapAhead();
        group().put("put", "value", TTL);
        group().putAll(Map.of("one", "value", "two", "value"), TTL);
        group().put("replaced", "new", TTL);
        store().transact(tx -> tx.group("group").put("transacted", "value", TTL));
        comeBack();
        store().purgeExpired();
        Set<String> written = Set.of("put", "one", "two", "replaced", "transacted");
        assertThat(written).allSatisfy(key -> assertThat(ttl(key)).contains(TTL));
        assertThat(ttl("before")).contains(Duration.ofHours(1));
        clock.advance(TTL);
        assertThat(group().keys()).containsExactly("before");
        assertThat(store().purgeExpired()).isEqualTo(written.size());
    }

    @Test
    @Promise({1, 2, 8})
    void whatAPurgeHasRemovedMeanwhileIsGone() {
        group().put("key", "value", Duration.ofHours(1));
        assertThat(group().get("key")).contains("value");
        leapAhead();
        store().purgeExpired();
        comeBack();
        assertThat(group().get("key")).isEmpty();
        group().put("key", "other", Duration.ofHours(1));
        assertThat(group().get("key")).contains("other");
        assertThat(group().keys()).containsExactly("key");
    }

    @Test
    void whatWasRenewedMeanwhileLivesForItsTtlFromThen() {
        for (String key : List.of("expired", "touched", "untouched", "kept")) {
            group().put(key, "value", LONG);
        }
        leapAhead();
        assertThat(group().expire("expired", TTL)).isTrue();
        assertThat(group().getAndExpire("touched", TTL)).contains("value");
        assertThat(group().expire("kept", Expiry.after(TTL).ifLater())).isTrue();
        comeBack();
        store().purgeExpired();
        assertThat(ttl("expired")).contains(TTL);
        assertThat(ttl("touched")).contains(TTL);
        assertThat(ttl("untouched")).contains(LONG);
        assertThat(ttl("kept")).contains(LONG);
        assertThat(group().getAll()).hasSize(4).allSatisfy((key, value) -> assertThat(value)
                .isEqualTo("value"));
    }

    @Test
    void whatAWriteKeptMeanwhileLivesForWhatWasLeftThen() {
        store().counters("counters").increment("key", 1, LONG);
        group().put("key", "value", LONG);
        leapAhead();
        store().counters("counters").increment("key");
        assertThat(group().update("key", value -> "new")).contains("new");
        comeBack();
        store().purgeExpired();
        assertThat(store().counters("counters").increment("key")).isEqualTo(3);
        assertThat(store().group("counters").entry("key").orElseThrow().ttl()).isEqualTo(LONG.minus(LEAD));
        assertThat(ttl("key")).contains(LONG.minus(LEAD));
    }

    /** As after a suspended machine. */
    @Test
    @Promise(3)
    void aWriteAfterALeapThatLastsCountsAsAnUpdate() {
        store().counters("group").increment("counted", 1, LONG);
        group().put("updated", "value", LONG);
        leapAhead();
        store().counters("group").increment("counted");
        assertThat(group().update("updated", value -> "new")).contains("new");
        assertThat(group().expire("updated", Expiry.afterUpdate(TTL))).isTrue();
        assertThat(ttl("updated")).contains(TTL);
        assertThat(group().entries().toList()).hasSize(2).allSatisfy(entry -> assertThat(entry.updatedAt())
                .isEqualTo(clock.instant()));
    }

    @Test
    @Promise(3)
    void aRenewalThatDoesNotCountFromThenStays() {
        Instant end = clock.instant().plus(LONG).plus(TTL);
        for (String key : List.of("later", "created", "at")) {
            group().put(key, "value", LONG);
        }
        leapAhead();
        assertThat(group().expire("later", Expiry.later(TTL))).isTrue();
        assertThat(group().expire("created", Expiry.afterCreation(LONG.plus(TTL))))
                .isTrue();
        assertThat(group().expire("at", Expiry.at(end))).isTrue();
        comeBack();
        store().purgeExpired();
        assertThat(List.of("later", "created", "at"))
                .allSatisfy(key -> assertThat(expiresAt(key)).contains(end));
    }

    @Test
    void timesFromThenAreTheTimeOfTheMending() {
        group().put("old", "value");
        leapAhead();
        group().put("old", "new");
        group().put("new", "value");
        comeBack();
        store().purgeExpired();
        assertThat(group().entries().toList())
                .hasSize(2)
                .allSatisfy(entry -> assertThat(entry.updatedAt()).isBeforeOrEqualTo(clock.instant()))
                .allSatisfy(entry -> assertThat(entry.createdAt()).isEqualTo(clock.instant()))
                .allSatisfy(entry -> assertThat(entry.expiresAt()).isNull());
        clock.advance(Duration.ofHours(1));
        assertThat(group().sweep(Duration.ofHours(1))).isEqualTo(2);
    }

    @Test
    void aTimerMendsWithoutAnybodysPurge() {
        open(settings().expiryOnTime(true));
        Recorder recorder = record();
        group().put("before", "value", LONG);
        leapAhead();
        group().put("key", "value", TTL);
        comeBack();
        group().put("another", "value", TTL);
        Awaitility.await().until(() -> ttl("key").equals(Optional.of(TTL)));
        clock.advance(TTL);
        group().put("last", "value");
        Awaitility.await()
                .until(() -> recorder.events().stream()
                                .filter(event -> event instanceof EntryExpired)
                                .count()
                        == 2);
    }

    @Test
    @Promise(3)
    void aWriteBeforeTheMendingDecidesAsIfItCameAfterIt() {
        leapAhead();
        for (String key : List.of("renewed", "replaced", "extended", "kept", "counted")) {
            group().put(key, "0", TTL);
        }
        comeBack();
        group().expire("renewed", Duration.ofMinutes(1));
        group().put("replaced", "1", Duration.ofMinutes(1));
        group().expire("extended", Expiry.later(TTL));
        group().expire("kept", Expiry.after(Duration.ofSeconds(40)).ifLater());
        store().counters("group").increment("counted");
        store().purgeExpired();
        assertThat(ttl("renewed")).contains(Duration.ofMinutes(1));
        assertThat(ttl("replaced")).contains(Duration.ofMinutes(1));
        assertThat(ttl("extended")).contains(TTL.multipliedBy(2));
        assertThat(ttl("kept")).contains(Duration.ofSeconds(40));
        assertThat(ttl("counted")).contains(TTL);
    }

    @Test
    void theLeadIsReportedUntilAllIsMendedAndTheCheckPasses() {
        group().put("key", "value");
        assertThat(store().stats().clockLead()).isNull();
        leapAhead();
        group().put("key", "value", TTL);
        store().check();
        assertThat(store().stats().clockLead()).isBetween(LEAD.minusMinutes(1), LEAD);
        comeBack();
        assertThat(group().get("key")).isPresent();
        assertThat(store().stats().clockLead()).isBetween(LEAD.minusMinutes(1), LEAD);
        store().purgeExpired();
        assertThat(store().stats().clockLead()).isNull();
    }

    @Test
    void whatExpiredMeanwhileIsRetainedForItsTimeFromThen() {
        Duration retention = Duration.ofHours(1);
        open(settings().retention(retention));
        leapAhead();
        group().put("key", "value", TTL);
        clock.advance(TTL);
        assertThat(store().purgeExpired()).isEqualTo(1);
        comeBack();
        store().purgeExpired();
        assertThat(store().stats().retained()).isEqualTo(1);
        clock.advance(retention);
        store().purgeExpired();
        assertThat(store().stats().retained()).isZero();
    }

    @Test
    void anotherLeapIsMendedToo() {
        for (String key : List.of("first", "second")) {
            leapAhead();
            group().put(key, "value", TTL);
            comeBack();
            store().purgeExpired();
            assertThat(ttl(key)).contains(TTL);
        }
        assertThat(store().purgeExpired()).isZero();
    }

    /** Of two mistakes, the second one is found first. */
    @Test
    void aClockThatComesBackInTwoStepsIsMendedTwice() {
        group().put("renewed", "value", LONG);
        clock.advance(Duration.ofDays(2));
        group().put("first", "value", TTL);
        leapAhead();
        group().put("second", "value", TTL);
        comeBack();
        store().purgeExpired();
        assertThat(ttl("second")).contains(TTL);
        group().put("between", "value", TTL);
        group().expire("renewed", TTL);
        clock.advance(Duration.ofDays(-2));
        store().purgeExpired();
        for (String key : List.of("first", "second", "between", "renewed")) {
            assertThat(expiresAt(key)).contains(clock.instant().plus(TTL));
        }
        clock.advance(TTL);
        assertThat(group().keys()).isEmpty();
        assertThat(store().stats().clockLead()).isNull();
    }

    @Test
    void manyEntriesInManyGroupsAreMended() {
        leapAhead();
        fill(600, Expiry.after(TTL));
        fillGroups(List.of("a", "b", "c:d"), Expiry.after(TTL));
        comeBack();
        store().purgeExpired();
        clock.advance(TTL);
        assertThat(store().purgeExpired()).isEqualTo(603);
    }

    @Test
    void aStoreWhoseClockStaysAheadExpiresWhatItWrites() {
        leapAhead();
        group().put("key", "value", TTL);
        store().purgeExpired();
        assertThat(ttl("key")).contains(TTL);
        clock.advance(TTL);
        assertThat(group().get("key")).isEmpty();
    }

    @Test
    void aClockThatIsBehindWithoutALeapBeforeChangesNoEntry() {
        group().put("key", "value", TTL);
        Optional<Instant> expiry = expiresAt("key");
        clock.advance(LEAD.negated());
        store().purgeExpired();
        group().expire("key", Expiry.keep());
        clock.advance(LEAD);
        assertThat(expiresAt("key")).isEqualTo(expiry);
    }

    @Test
    @Promise(17)
    void aRetryThatWasPutOffMeanwhileIsNotWaitedForLongerThanTheLongestDelay() {
        Duration delay = Duration.ofMinutes(1);
        StoreBuilder settings =
                settings().expiry(ExpirySettings.defaults().withConcurrency(1).withDelays(delay, delay));
        open(settings);
        leapAhead();
        Handled handled = new Handled(entry -> {
            if (entry.attempt() == 1) {
                throw new IllegalStateException("on purpose");
            }
        });
        Subscription unused = store().onExpired("mail", "group", handled);
        group().put("key", "value", Duration.ofMillis(1));
        advanceMillis(1);
        store().purgeExpired();
        Awaitility.await().until(() -> store().expirySubscribers().get(0).failures() == 1);
        comeBack();
        store().purgeExpired();
        Awaitility.await().pollInterval(Duration.ofMillis(5)).until(() -> {
            advanceMillis(10_000);
            store().purgeExpired();
            return handled.keys().equals(List.of("key"));
        });
        assertThat(clock.instant()).isBefore(MovableClock.START.plus(Duration.ofDays(1)));
    }
}
