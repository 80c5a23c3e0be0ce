package dev.ttlstore.contract;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

import org.junit.jupiter.api.Test;

import dev.ttlstore.Expiry;
import dev.ttlstore.event.EntryExpired;

import static dev.ttlstore.contract.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** The removal of what has expired. */
@Promise(6)
abstract class PurgeContract extends ContractArea {

    private static final Expiry SHORT = Expiry.after(Duration.ofMillis(10));

    @Test
    void aPurgeRemovesTheExpiredAndNothingElse() {
        group().put("expired", "value", Duration.ofMillis(10));
        group().put("live", "value", Duration.ofMillis(11));
        group().put("permanent", "value");
        advanceMillis(10);
        assertThat(store().purgeExpired()).isEqualTo(1);
        assertThat(store().stats().expired()).isZero();
        assertThat(group().getAll()).containsOnlyKeys("live", "permanent");
    }

    @Test
    void aPurgeOfAnEmptyStoreDoesNothing() {
        Recorder recorder = record();
        assertThat(store().purgeExpired()).isZero();
        assertThat(recorder.events()).isEmpty();
    }

    @Test
    void aSecondPurgeHasNothingToDo() {
        group().put("key", "value", Duration.ofMillis(10));
        advanceMillis(10);
        assertThat(store().purgeExpired()).isEqualTo(1);
        assertThat(store().purgeExpired()).isZero();
    }

    @Test
    void aPurgeGoesThroughAllGroupsAndManyBatches() {
        fill(2_500, SHORT);
        store().group("other").put("key", "value", Duration.ofMillis(5));
        group().put("live", "value");
        advanceMillis(10);
        assertThat(store().purgeExpired()).isEqualTo(2_501);
        assertThat(store().stats().expired()).isZero();
        assertThat(store().count()).isEqualTo(1);
    }

    @Test
    void aPurgeOfExactlyOneBatchEnds() {
        fill(1_000, SHORT);
        advanceMillis(10);
        assertThat(store().purgeExpired()).isEqualTo(1_000);
    }

    @Test
    @Promise({6, 13})
    void twoPurgesAtOnceRemoveAndTellEachEntryOnce() {
        Recorder recorder = record();
        fill(3_000, SHORT);
        recorder.clear();
        advanceMillis(10);
        List<Long> removed = Threads.together(2, thread -> store().purgeExpired());
        assertThat(removed.get(0) + removed.get(1)).isEqualTo(3_000);
        assertThat(recorder.events(EntryExpired.class))
                .extracting(EntryExpired::key)
                .doesNotHaveDuplicates()
                .hasSize(3_000);
    }

    @Test
    @Promise({13, 14})
    void aPurgeReturnsWhenExpiriesThatAnotherHasFoundAreTold() {
        CountDownLatch telling = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        AtomicBoolean told = new AtomicBoolean();
        store().onChange(event -> {
            if (event instanceof EntryExpired) {
                telling.countDown();
                Threads.await(goOn);
                told.set(true);
            }
        });
        group().put("key", "value", Duration.ofMillis(10));
        advanceMillis(10);
        Future<Long> first = Threads.start(thread -> store().purgeExpired());
        Threads.await(telling);
        Future<Boolean> second = Threads.start(thread -> {
            store().purgeExpired();
            return told.get();
        });
        try {
            await().during(Duration.ofMillis(100)).until(() -> !second.isDone());
        } finally {
            goOn.countDown();
        }
        assertThat(Threads.get(second)).isTrue();
        assertThat(Threads.get(first)).isLessThanOrEqualTo(1);
    }

    @Test
    @Promise({6, 13})
    void theOldestExpiryGoesFirst() {
        Recorder recorder = record();
        group().put("last", "value", Duration.ofMillis(30));
        group().put("first", "value", Duration.ofMillis(10));
        group().put("second", "value", Duration.ofMillis(20));
        recorder.clear();
        advanceMillis(30);
        store().purgeExpired();
        assertThat(recorder.events(EntryExpired.class))
                .extracting(EntryExpired::key)
                .containsExactly("first", "second", "last");
    }

    @Test
    void anInterruptedPurgeEndsEarlyAndLeavesTheThreadInterrupted() {
        fill(2_500, SHORT);
        advanceMillis(10);
        Thread.currentThread().interrupt();
        long removed = store().purgeExpired();
        assertThat(Thread.interrupted()).isTrue();
        assertThat(removed).isLessThan(2_500);
        assertThat(store().purgeExpired()).isEqualTo(2_500 - removed);
    }

    @Test
    void aWriterGetsInBetweenTheBatchesOfAPurge() {
        fill(2_500, SHORT);
        advanceMillis(10);
        AtomicLong expiredAtWrite = new AtomicLong();
        // The first expiry that is told is told between two commits: what is written then comes before the next batch.
        store().onChange(event -> {
            if (event instanceof EntryExpired && !group().contains("written")) {
                group().put("written", "value");
                expiredAtWrite.set(store().stats().expired());
            }
        });
        assertThat(store().purgeExpired()).isEqualTo(2_500);
        assertThat(expiredAtWrite.get()).isBetween(1L, 2_499L);
    }

    @Test
    void aPurgeThatRunsWhileEntriesArePutAnewTakesNoneOfThem() {
        fill(1_500, SHORT);
        advanceMillis(10);
        Threads.together(2, thread -> {
            if (thread == 0) {
                return store().purgeExpired();
            }
            for (int i = 0; i < 1_500; i++) {
                group().put("key" + i, "anew");
            }
            return 0L;
        });
        assertThat(group().getAll().values()).hasSize(1_500).containsOnly("anew");
    }

    @Test
    void theStorePurgesByItselfAtItsInterval() {
        open(settings().purgeInterval(Duration.ofMillis(10)));
        Recorder recorder = record();
        group().put("key", "value", Duration.ofMillis(10));
        advanceMillis(10);
        await().untilAsserted(
                        () -> assertThat(recorder.events(EntryExpired.class)).hasSize(1));
        group().put("key", "value", Duration.ofMillis(10));
        advanceMillis(10);
        await().untilAsserted(
                        () -> assertThat(recorder.events(EntryExpired.class)).hasSize(2));
    }
}
