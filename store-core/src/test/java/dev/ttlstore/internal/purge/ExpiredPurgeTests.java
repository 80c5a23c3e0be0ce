package dev.ttlstore.internal.purge;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

import dev.ttlstore.contract.Effort;
import dev.ttlstore.contract.MovableClock;
import dev.ttlstore.contract.Promise;
import dev.ttlstore.contract.Recorder;
import dev.ttlstore.contract.Threads;
import dev.ttlstore.engine.GroupRange;
import dev.ttlstore.engine.commit.FakeEngine;
import dev.ttlstore.engine.commit.Rows;
import dev.ttlstore.engine.support.Deadline;
import dev.ttlstore.event.EntryExpired;
import dev.ttlstore.internal.access.StoreReads;
import dev.ttlstore.internal.base.Meter;
import dev.ttlstore.internal.cache.RowCache;
import dev.ttlstore.internal.commit.CommitPipeline;
import dev.ttlstore.internal.commit.PipelineBuilder;
import dev.ttlstore.internal.watch.Dispatchers;
import dev.ttlstore.internal.watch.EventDispatcher;

import static dev.ttlstore.contract.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

@Promise(6)
class ExpiredPurgeTests {

    private volatile InstantSource source = new MovableClock();
    private final FakeEngine engine = new FakeEngine(() -> source.instant());
    private final EventDispatcher dispatcher = Dispatchers.plain();

    @Test
    void eachCommitOfAPurgeThatIsListenedToRemovesABatch() {
        fill(2_500);
        Recorder recorder = new Recorder();
        Dispatchers.subscribe(dispatcher, recorder);
        assertThat(purge().run(GroupRange.ALL)).isEqualTo(2_500);
        assertThat(engine.commits()).isEqualTo(3);
        assertThat(recorder.events(EntryExpired.class)).hasSize(2_500);
    }

    @Test
    void aPurgeThatNobodyListensToTakesMoreAtOnce() {
        int expired = Effort.of(2_500, 20_000);
        fill(expired);
        assertThat(purge().run(GroupRange.ALL)).isEqualTo(expired);
        assertThat(engine.commits()).isEqualTo(Effort.of(1, 2));
    }

    @Test
    @Promise(16)
    void whatNobodyListensToIsCountedOnly() {
        fill(100);
        AtomicInteger listed = listed();
        Meter meter = new Meter(List.of());
        purge(pipeline(meter), meter).run(GroupRange.ALL);
        assertThat(meter.all().activity().expired()).isEqualTo(100);
        assertThat(listed).hasValue(0);
    }

    @Test
    void whatIsCountedForItsGroupIsListed() {
        fill(100);
        AtomicInteger listed = listed();
        Meter meter = new Meter(List.of(Rows.key("key").group()));
        purge(pipeline(meter), meter).run(GroupRange.ALL);
        assertThat(meter.of(Rows.key("key").group()).activity().expired()).isEqualTo(100);
        assertThat(meter.all().activity().expired()).isEqualTo(100);
        assertThat(listed).hasValue(100);
    }

    /** Counts the rows that purges list from now on, and do not just count. */
    private AtomicInteger listed() {
        AtomicInteger listed = new AtomicInteger();
        engine.onCommit(transaction -> listed.addAndGet(transaction.listed()));
        return listed;
    }

    @Test
    void aPurgeThatIsAloneNeverWaitsForTheEngine() {
        fill(2_500);
        purge().run(GroupRange.ALL);
        assertThat(engine.settled()).isZero();
    }

    @Test
    void aPurgeThatMadeWayForOthersLetsTheEngineSettleBeforeItGoesOn() {
        fill(1_000);
        CommitPipeline pipeline = pipeline();
        CompletableFuture<Long> other = new CompletableFuture<>();
        AtomicInteger looks = new AtomicInteger();
        source = () -> {
            if (looks.incrementAndGet() == 2) { // the first look is the purge's, the second one its commit's
                pipeline.clearAsync("another", other);
            }
            return Instant.ofEpochMilli(Rows.NOW);
        };
        purge(pipeline, new Meter(List.of())).run(GroupRange.ALL);
        assertThat(Threads.get(other)).isZero();
        assertThat(engine.settled()).isEqualTo(1);
        assertThat(engine.rows()).isEmpty();
    }

    @Test
    void anInterruptedPurgeEndsAfterTheStepAtHand() {
        fill(2_500);
        Thread.currentThread().interrupt();
        assertThat(purge().run(GroupRange.ALL)).isEqualTo(64);
        assertThat(Thread.interrupted()).isTrue();
        assertThat(engine.rows()).hasSize(2_436);
    }

    @Test
    void aPurgeEndsThoughEntriesExpireFasterThanItRemovesThem() {
        // Time runs by a second with each look at the clock, and with each second a thousand entries expire.
        for (int i = 0; i < 5_000; i++) {
            engine.put(Rows.expiring("key" + i, i + 1, Rows.NOW + i));
        }
        AtomicLong seconds = new AtomicLong();
        source = () -> Instant.ofEpochMilli(Rows.NOW + 1_000 * seconds.getAndIncrement());
        assertThat(purge().run(GroupRange.ALL)).isLessThanOrEqualTo(2_000);
    }

    @Test
    void aScheduleGoesOnAfterAPurgeThatFailed() {
        fill(10);
        AtomicInteger failures = new AtomicInteger();
        engine.onCommit(transaction -> {
            if (failures.incrementAndGet() <= 2) {
                throw new IllegalStateException("on purpose");
            }
        });
        PurgeSchedule schedule = new PurgeSchedule(regular(), Duration.ofMillis(5));
        try {
            Awaitility.await().until(() -> engine.rows().isEmpty());
            assertThat(failures.get()).isGreaterThan(2);
        } finally {
            schedule.stop();
            schedule.awaitStopped(Deadline.in(Duration.ofSeconds(30)));
        }
    }

    @Test
    @Promise(24)
    void aScheduleWhoseThreadIsGoneIsStartedAgain() {
        fill(10);
        AtomicInteger created = new AtomicInteger();
        PurgeSchedule schedule = new PurgeSchedule(
                regular(),
                Duration.ofMillis(5),
                work -> created.getAndIncrement() == 0 ? new Thread(() -> {}) : new Thread(work));
        try {
            Awaitility.await().until(() -> schedule.ensureRunning() && created.get() == 2);
            Awaitility.await().until(() -> engine.rows().isEmpty());
        } finally {
            schedule.stop();
            schedule.awaitStopped(Deadline.in(Duration.ofSeconds(30)));
        }
    }

    @Test
    void whatFailsAgainAndAgainIsTriedEachMinuteEvenIfTheIntervalIsLonger() {
        long minute = TimeUnit.MINUTES.toNanos(1);
        assertThat(PurgeSchedule.pauseNanos(60 * minute, true)).isEqualTo(minute);
        assertThat(PurgeSchedule.pauseNanos(60 * minute, false)).isEqualTo(60 * minute);
        assertThat(PurgeSchedule.pauseNanos(minute / 60, true)).isEqualTo(minute / 60);
    }

    @Test
    @Promise(24)
    void eachPurgeLooksAfterTheOtherThreadsWhetherOrNotItSucceeds() {
        fill(1);
        AtomicInteger looks = new AtomicInteger();
        PurgeRun purge = regular(looks::incrementAndGet);
        engine.onCommit(transaction -> {
            throw new OutOfMemoryError("on purpose");
        });
        assertThatExceptionOfType(OutOfMemoryError.class).isThrownBy(() -> purge.run(GroupRange.ALL));
        assertThat(looks).hasValue(1);
        engine.onCommit(transaction -> {});
        assertThat(purge.run(GroupRange.ALL)).isEqualTo(1);
        assertThat(looks).hasValue(2);
    }

    @Test
    @Promise(22)
    void theEndOfAScheduleWaitsForThePurgeThatIsUnderWay() {
        fill(10);
        CountDownLatch inCommit = new CountDownLatch(1);
        CountDownLatch release = new CountDownLatch(1);
        engine.onCommit(transaction -> {
            inCommit.countDown();
            awaitUninterrupted(release);
        });
        PurgeSchedule schedule = new PurgeSchedule(regular(), Duration.ofMillis(1));
        Threads.await(inCommit);
        schedule.stop();
        Future<Boolean> end = Threads.start(thread -> {
            schedule.awaitStopped(Deadline.in(Duration.ofSeconds(30)));
            return true;
        });
        Awaitility.await().during(Duration.ofMillis(100)).until(() -> !end.isDone());
        release.countDown();
        assertThat(Threads.get(end)).isTrue();
        assertThat(engine.rows()).isEmpty();
    }

    /** An engine's commit is not ended by an interrupt. */
    private static void awaitUninterrupted(CountDownLatch latch) {
        boolean interrupted = false;
        while (latch.getCount() > 0) {
            try {
                latch.await();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void anIntervalOfCenturiesIsAccepted() {
        fill(1);
        PurgeSchedule schedule = new PurgeSchedule(regular(), Duration.ofSeconds(Long.MAX_VALUE));
        schedule.stop();
        schedule.awaitStopped(Deadline.in(Duration.ofSeconds(30)));
        assertThat(engine.rows()).hasSize(1);
    }

    private ExpiredPurge purge() {
        return purge(pipeline(), new Meter(List.of()));
    }

    private ExpiredPurge purge(CommitPipeline pipeline, Meter meter) {
        return new ExpiredPurge(engine, pipeline, meter, new ClockLeapRepair(engine, pipeline, () -> {}));
    }

    private PurgeRun regular() {
        return regular(() -> {});
    }

    private PurgeRun regular(Runnable watch) {
        CommitPipeline pipeline = pipeline();
        return new PurgeRun(
                purge(),
                new StoreReads(engine, RowCache.of(0, false), pipeline.renewals(), () -> {}),
                Map.of(),
                new Retentions(Duration.ZERO, Map.of()),
                watch);
    }

    private CommitPipeline pipeline() {
        return pipeline(new Meter(List.of()));
    }

    private CommitPipeline pipeline(Meter meter) {
        return PipelineBuilder.on(engine).dispatcher(dispatcher).meter(meter).build();
    }

    private void fill(int expired) {
        for (int i = 0; i < expired; i++) {
            engine.put(Rows.expiring("key" + i, i + 1, Rows.NOW - 1));
        }
    }
}
