package dev.ttlstore.internal.purge;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import dev.ttlstore.Codec;
import dev.ttlstore.Group;
import dev.ttlstore.Store;
import dev.ttlstore.StoreBuilder;
import dev.ttlstore.contract.MovableClock;
import dev.ttlstore.contract.Promise;
import dev.ttlstore.engine.commit.FakeEngine;
import dev.ttlstore.engine.commit.Rows;
import dev.ttlstore.engine.support.Deadline;
import dev.ttlstore.internal.base.Meter;
import dev.ttlstore.internal.commit.CommitPipeline;
import dev.ttlstore.internal.commit.PipelineBuilder;

import static dev.ttlstore.contract.Assertions.assertThat;

/** The purge that reads of ranges ask for. */
@Promise(6)
class EarlyPurgeTests {

    private final MovableClock clock = new MovableClock();
    private final FakeEngine engine = new FakeEngine(clock);
    private final Meter meter = new Meter(List.of());
    private final CommitPipeline pipeline =
            PipelineBuilder.on(engine).meter(meter).build();
    private final AtomicLong nanos = new AtomicLong();
    private final AtomicBoolean noThreads = new AtomicBoolean();
    private final EarlyPurge early = new EarlyPurge(
            engine,
            new ExpiredPurge(engine, pipeline, meter, new ClockLeapRepair(engine, pipeline, () -> {})),
            threads(),
            nanos::get);

    private ThreadFactory threads() {
        return work -> {
            if (noThreads.get()) {
                throw new OutOfMemoryError("on purpose: no thread to be had");
            }
            return new Thread(work);
        };
    }

    @AfterEach
    void stop() {
        early.stop();
        early.awaitStopped(Deadline.in(Duration.ofSeconds(30)));
    }

    @Test
    void manyExpiredEntriesAreRemovedWhenARangeIsRead() {
        fill(EarlyPurge.MANY);
        early.rangeRead();
        Awaitility.await().until(() -> engine.rows().isEmpty());
    }

    @Test
    void fewExpiredEntriesStay() {
        fill(EarlyPurge.MANY - 1);
        early.rangeRead();
        stop(); // after its look
        assertThat(engine.rows()).hasSize(EarlyPurge.MANY - 1);
    }

    @Test
    void manyReadsOfRangesAreOneLookPerSecond() {
        fill(EarlyPurge.MANY);
        early.rangeRead();
        Awaitility.await().until(() -> engine.rows().isEmpty());
        fill(EarlyPurge.MANY);
        nanos.addAndGet(TimeUnit.SECONDS.toNanos(1) - 1);
        early.rangeRead();
        assertThat(engine.rows()).hasSize(EarlyPurge.MANY);
        readOncePerMinuteUntilEmpty();
    }

    @Test
    @Promise(23)
    void afterAFailureALaterReadTriesAgain() {
        fill(EarlyPurge.MANY);
        AtomicInteger failures = new AtomicInteger();
        engine.onCommit(transaction -> {
            if (failures.incrementAndGet() <= 2) {
                throw new OutOfMemoryError("on purpose");
            }
        });
        readOncePerMinuteUntilEmpty();
        assertThat(failures).hasValueGreaterThan(2);
    }

    @Test
    @Promise(23)
    void aReadDoesNotFailIfNoThreadIsToBeHad() {
        fill(EarlyPurge.MANY);
        noThreads.set(true);
        early.rangeRead();
        noThreads.set(false);
        readOncePerMinuteUntilEmpty();
    }

    private void readOncePerMinuteUntilEmpty() {
        Awaitility.await().until(() -> {
            nanos.addAndGet(TimeUnit.MINUTES.toNanos(1)); // longer than the pause after a failure
            early.rangeRead();
            return engine.rows().isEmpty();
        });
    }

    private void fill(int expired) {
        for (int i = 0; i < expired; i++) {
            engine.put(Rows.expiring("key" + i, i + 1, Rows.NOW - 1));
        }
    }

    @Test
    void aStoreWhoseRangesAreReadDoesNotWaitForThePurgeInterval() {
        try (Store store = store(true)) {
            Group<byte[]> group = expired(store);
            Awaitility.await().until(() -> group.count() == 0 && store.stats().expired() == 0);
        }
    }

    /** They keep their places in the expiry index, where they are due before they expire. */
    @Test
    void renewedEntriesAmongThemDoNotHideThem() {
        try (Store store = store(true)) {
            Group<byte[]> group = store.group("group", Codec.bytes());
            for (int i = 0; i < 10; i++) {
                group.put("renewed" + i, new byte[1], Duration.ofSeconds(1));
                assertThat(group.expire("renewed" + i, Duration.ofSeconds(60))).isTrue();
            }
            for (int i = 0; i < EarlyPurge.MANY; i++) {
                group.put("key" + i, new byte[1], Duration.ofSeconds(2));
            }
            clock.advance(Duration.ofSeconds(61));
            Awaitility.await().until(() -> group.count() == 0 && store.stats().expired() == 0);
        }
    }

    @Test
    void whoeverExpiresEntriesAtThePurgeKeepsThemUntilThen() {
        try (Store store = store(false)) {
            Group<byte[]> group = expired(store);
            assertThat(group.count()).isZero();
            assertThat(store.stats().expired()).isEqualTo(2 * EarlyPurge.MANY);
            assertThat(store.purgeExpired()).isEqualTo(2 * EarlyPurge.MANY);
        }
    }

    private Store store(boolean onTime) {
        StoreBuilder builder = Store.builder().inMemory().clock(clock).purgeInterval(Duration.ZERO);
        return builder.expiryOnTime(onTime).open();
    }

    private Group<byte[]> expired(Store store) {
        Group<byte[]> group = store.group("group", Codec.bytes());
        for (int i = 0; i < 2 * EarlyPurge.MANY; i++) {
            group.put("key" + i, new byte[1], Duration.ofSeconds(1));
        }
        clock.advance(Duration.ofSeconds(2));
        return group;
    }
}
