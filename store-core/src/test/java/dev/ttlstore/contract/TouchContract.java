package dev.ttlstore.contract;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;

import org.assertj.core.groups.Tuple;
import org.junit.jupiter.api.Test;

import dev.ttlstore.ExpiringEntry;
import dev.ttlstore.Quota;
import dev.ttlstore.RetainedEntry;
import dev.ttlstore.Scope;
import dev.ttlstore.event.EntryExpired;

import static dev.ttlstore.contract.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

/** Entries whose end is put off again and again, as that of a session is. An engine may be late to move them in its index. */
@Promise({3, 6, 7})
abstract class TouchContract extends ContractArea {

    private static final Duration TTL = Duration.ofMinutes(30);

    /** More than a page. */
    private static final int ENTRIES = Effort.of(300, 700);

    private static final int RENEWALS = Effort.of(40, 100);

    private static Instant at(Duration time) {
        return MovableClock.START.plus(time);
    }

    @Test
    void aRenewedEntryOutlivesItsOldExpiryAndEndsAtItsNewOne() {
        group().put("touched", "value", TTL);
        group().put("overwritten", "value", TTL);
        group().put("left", "value", TTL);
        for (int minute = 1; minute <= 29; minute++) {
            clock.advance(Duration.ofMinutes(1));
            assertThat(group().expire("touched", TTL)).isTrue();
            group().put("overwritten", "value" + minute, TTL);
            assertThat(store().purgeExpired()).isZero();
        }
        clock.advance(Duration.ofMinutes(1));
        assertThat(store().purgeExpired()).isEqualTo(1);
        assertThat(group().getAll()).containsOnlyKeys("touched", "overwritten");
        clock.advance(Duration.ofMinutes(29).minusMillis(1));
        assertThat(store().purgeExpired()).isZero();
        assertThat(group().count()).isEqualTo(2);
        advanceMillis(1);
        assertThat(group().count()).isZero();
        assertThat(store().stats().expired()).isEqualTo(2);
        assertThat(store().purgeExpired()).isEqualTo(2);
        assertThat(store().purgeExpired()).isZero();
    }

    @Test
    void aShortenedRenewalIsFoundAtItsNewEnd() {
        group().put("key", "value", TTL);
        clock.advance(Duration.ofMinutes(1));
        group().expire("key", TTL);
        group().expire("key", Duration.ofMillis(5));
        assertThat(store().expiring(Instant.MIN, Instant.MAX))
                .extracting(ExpiringEntry::expiresAt)
                .containsExactly(at(Duration.ofMinutes(1).plusMillis(5)));
        advanceMillis(5);
        assertThat(store().purgeExpired()).isEqualTo(1);
    }

    @Test
    void aRenewedEntryThatIsMadePermanentStays() {
        group().put("key", "value", TTL);
        clock.advance(Duration.ofMinutes(1));
        group().expire("key", TTL);
        group().persist("key");
        clock.advance(Duration.ofDays(1));
        assertThat(store().purgeExpired()).isZero();
        assertThat(group().contains("key")).isTrue();
        assertThat(store().expiring(Instant.MIN, Instant.MAX)).isEmpty();
    }

    @Test
    void whatIsExpiringIsToldInItsOrderHoweverItWasRenewed() {
        Map<String, Instant> ends = renewAtRandom();
        assertThat(store().expiring(Instant.MIN, Instant.MAX))
                .extracting(ExpiringEntry::key, ExpiringEntry::expiresAt)
                .containsExactlyElementsOf(inOrder(ends));
        Instant from =
                ends.values().stream().sorted().skip(ENTRIES / 3).findFirst().orElseThrow();
        Instant to = from.plus(Duration.ofMinutes(5));
        Map<String, Instant> within = new HashMap<>(ends);
        within.values().removeIf(end -> end.isBefore(from) || !end.isBefore(to));
        assertThat(store().expiring(from, to))
                .extracting(ExpiringEntry::key, ExpiringEntry::expiresAt)
                .containsExactlyElementsOf(inOrder(within));
    }

    @Test
    @Promise({6, 13})
    void whatHasExpiredIsPurgedAndToldInItsOrderHoweverItWasRenewed() {
        Map<String, Instant> ends = renewAtRandom();
        Recorder recorder = new Recorder();
        store().onChange(recorder);
        int purged = 0;
        while (purged < ENTRIES) {
            clock.advance(Duration.ofMinutes(7));
            purged += (int) store().purgeExpired();
            assertThat(store().stats().expired()).isZero();
        }
        assertThat(recorder.events(EntryExpired.class))
                .extracting(EntryExpired::key, EntryExpired::expiresAt)
                .containsExactlyInAnyOrderElementsOf(inOrder(ends));
        assertThat(recorder.events(EntryExpired.class))
                .isSortedAccordingTo(Comparator.comparing(EntryExpired::expiresAt));
    }

    @Test
    void whatHasExpiredIsListedInItsOrderThoughItIsPurgedMeanwhile() {
        open(settings().retention(Duration.ofDays(1)));
        Map<String, Instant> ends = renewAtRandom();
        clock.advance(Duration.ofMinutes(20));
        store().purgeExpired();
        clock.advance(Duration.ofHours(2));
        List<RetainedEntry> told = new ArrayList<>();
        store().expired(Instant.MIN, Instant.MAX)
                .peek(entry -> {
                    if (told.size() == ENTRIES / 2) {
                        store().purgeExpired();
                    }
                })
                .forEach(told::add);
        assertThat(told)
                .extracting(RetainedEntry::key, RetainedEntry::expiresAt)
                .containsExactlyElementsOf(inOrder(ends));
    }

    @Test
    @Promise({18, 19})
    void theQuotaCountsARenewedEntryForAsLongAsItLives() {
        Scope scope = store().scope("acme", new Quota(1, 0, 0));
        scope.group("group").put("key", "value", Duration.ofMinutes(1));
        advanceMillis(30_000);
        scope.group("group").expire("key", Duration.ofMinutes(1));
        advanceMillis(45_000);
        assertThat(scope.usage().keys()).isEqualTo(1);
        advanceMillis(15_000);
        assertThat(scope.usage().keys()).isZero();
        scope.group("group").put("other", "value");
        assertThat(scope.count()).isEqualTo(1);
    }

    /** Puts and renews entries over half an hour or so, some seldom, some all the while, some backwards. */
    private Map<String, Instant> renewAtRandom() {
        Random random = new Random(42);
        Map<String, Instant> ends = new HashMap<>();
        IntStream.range(0, ENTRIES)
                .forEach(i -> ends.put("key" + i, clock.instant().plus(TTL).plusMillis(random.nextInt(60_000))));
        store().transact(tx -> {
            ends.forEach((key, end) -> tx.group("group").put(key, "value", end));
            return true;
        });
        for (int round = 0; round < 25; round++) {
            clock.advance(Duration.ofMinutes(1));
            for (int i = 0; i < RENEWALS; i++) {
                String key = "key" + random.nextInt(random.nextInt(ENTRIES) + 1);
                Instant end = clock.instant().plus(TTL).plusMillis(random.nextInt(120_000) - 60_000);
                if (random.nextBoolean()) {
                    group().expire(key, end);
                } else {
                    group().put(key, "value" + round, end);
                }
                ends.put(key, end);
            }
        }
        return ends;
    }

    private static List<Tuple> inOrder(Map<String, Instant> ends) {
        return ends.entrySet().stream()
                .sorted(Map.Entry.<String, Instant>comparingByValue().thenComparing(Map.Entry.comparingByKey()))
                .map(end -> tuple(end.getKey(), end.getValue()))
                .toList();
    }
}
