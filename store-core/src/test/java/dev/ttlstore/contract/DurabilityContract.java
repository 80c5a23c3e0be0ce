package dev.ttlstore.contract;

import java.time.Duration;
import java.util.List;

import org.junit.jupiter.api.Test;

import dev.ttlstore.Entry;
import dev.ttlstore.Expiry;
import dev.ttlstore.event.EntryExpired;

import static dev.ttlstore.contract.Assertions.assertThat;

/** What is still there when a store is opened again. */
abstract class DurabilityContract extends ContractArea {

    @Test
    @Promise(11)
    void entriesAreThereAfterReopeningJustAsTheyWere() {
        group().put("permanent", "value");
        group().put("expiring", "", Duration.ofHours(1));
        store().group("näme").put("ключ 🔑", "wért");
        Entry<String> permanent = group().entry("permanent").orElseThrow();
        Entry<String> expiring = group().entry("expiring").orElseThrow();

        reopen();

        assertThat(group().entry("permanent")).contains(permanent);
        assertThat(group().entry("expiring")).contains(expiring);
        assertThat(store().group("näme").get("ключ 🔑")).contains("wért");
        assertThat(store().groups()).containsExactly("group", "näme");
    }

    @Test
    @Promise(11)
    void whatWasDeletedOrTakenStaysSo() {
        group().put("deleted", "value");
        group().put("taken", "value");
        store().group("cleared").put("key", "value");
        group().delete("deleted");
        group().take("taken");
        store().group("cleared").clear();
        reopen();
        assertThat(store().count()).isZero();
    }

    @Test
    @Promise({1, 2})
    void anEntryExpiresWhileTheStoreIsClosed() {
        group().put("key", "value", Duration.ofMillis(10));
        store().close();
        advanceMillis(10);
        reopen();
        assertThat(group().get("key")).isEmpty();
    }

    @Test
    @Promise(3)
    void aRenewedExpiryIsTheOneThatCountsAfterReopening() {
        group().put("renewed", "value", Duration.ofMillis(10));
        group().put("persisted", "value", Duration.ofMillis(10));
        group().expire("renewed", Duration.ofMillis(20));
        group().persist("persisted");
        reopen();
        advanceMillis(19);
        assertThat(store().purgeExpired()).isZero();
        assertThat(group().getAll()).containsOnlyKeys("persisted", "renewed");
    }

    @Test
    @Promise(5)
    void aClockThatSteppedBackWhileClosedDoesNotBringAnExpiredEntryBack() {
        group().put("key", "value", Duration.ofHours(10));
        clock.advance(Duration.ofHours(10));
        assertThat(group().get("key")).isEmpty();
        store().close();
        clock.advance(Duration.ofHours(-9));
        reopen();
        assertThat(group().get("key")).isEmpty();
        assertThat(group().count()).isZero();
    }

    @Test
    @Promise(5)
    void aClockThatWasOnceFarInTheFutureIsNotFollowed() {
        clock.advance(Duration.ofDays(365));
        group().put("key", "value", Duration.ofDays(1));
        clock.set(MovableClock.START);
        reopen();
        group().put("other", "value", Duration.ofMinutes(1));
        clock.advance(Duration.ofMinutes(1));
        assertThat(group().get("other")).isEmpty();
    }

    @Test
    @Promise(9)
    void versionsAreNotReusedAfterReopening() {
        group().put("key", "value");
        long first = group().entry("key").orElseThrow().version();
        group().put("key", "value");
        group().delete("key");
        reopen();
        group().put("key", "value");
        assertThat(group().entry("key").orElseThrow().version()).isGreaterThan(first + 1);
    }

    @Test
    @Promise(9)
    void versionsAreNotReusedThoughTheStoreIsReopenedAgainAndAgain() {
        long last = 0;
        for (int i = 0; i < 5; i++) {
            group().put("key", "value");
            long version = group().entry("key").orElseThrow().version();
            assertThat(version).isGreaterThan(last);
            last = version;
            group().delete("key");
            reopen();
        }
    }

    @Test
    @Promise(13)
    void theSequenceOfEventsGoesOnAfterReopening() {
        Recorder before = record();
        group().put("key", "value");
        group().delete("key");
        reopen();
        Recorder after = record();
        group().put("key", "value");
        assertThat(after.events().get(0).sequence())
                .isGreaterThan(before.events().get(1).sequence());
    }

    @Test
    @Promise(13)
    void whatExpiredWhileTheStoreWasClosedIsToldOnce() {
        group().put("key", "value", Duration.ofMillis(10));
        store().close();
        advanceMillis(10);
        reopen();
        Recorder recorder = record();
        store().purgeExpired();
        store().purgeExpired();
        assertThat(recorder.events(EntryExpired.class))
                .extracting(EntryExpired::key)
                .containsExactly("key");
        reopen();
        Recorder later = record();
        assertThat(store().purgeExpired()).isZero();
        assertThat(later.events()).isEmpty();
    }

    @Test
    @Promise({6, 11})
    void aPurgeThatWasInterruptedIsFinishedAfterReopening() {
        fill(2_500, Expiry.after(Duration.ofMillis(10)));
        advanceMillis(10);
        Thread.currentThread().interrupt();
        long first = store().purgeExpired();
        assertThat(Thread.interrupted()).isTrue();
        reopen();
        assertThat(first + store().purgeExpired()).isEqualTo(2_500);
        assertThat(store().stats().expired()).isZero();
    }

    @Test
    @Promise({11, 22})
    void everyWriteThatSucceededBeforeTheClosingIsThereAfterIt() {
        List<Integer> written = CloseContract.writeUntilClosed(store(), 8);
        reopen();
        for (int writer = 0; writer < 8; writer++) {
            assertThat(store().group("writer" + writer).count())
                    .isEqualTo(written.get(writer).longValue());
        }
    }
}
