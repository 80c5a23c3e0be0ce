package dev.ttlstore.internal.purge;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import dev.ttlstore.contract.MovableClock;
import dev.ttlstore.contract.Promise;
import dev.ttlstore.engine.commit.FakeDatabase;
import dev.ttlstore.engine.commit.FakeEngine;
import dev.ttlstore.engine.commit.Rows;
import dev.ttlstore.engine.support.Deadline;
import dev.ttlstore.internal.base.Meter;
import dev.ttlstore.internal.commit.CommitPipeline;
import dev.ttlstore.internal.commit.PipelineBuilder;

import static dev.ttlstore.contract.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

/** The thread that removes what has expired, when it fails. */
@Promise({16, 23})
class ExpiryTimerTests {

    /** The pause after a failure. */
    private static final long SOON = TimeUnit.MILLISECONDS.toNanos(10);

    private final MovableClock clock = new MovableClock();
    private final FakeEngine engine = new FakeEngine(clock);
    private final Meter meter = new Meter(List.of());
    private final CommitPipeline pipeline =
            PipelineBuilder.on(engine).meter(meter).build();
    private final AtomicInteger failures = new AtomicInteger();
    private final AtomicBoolean noThreads = new AtomicBoolean();

    private ExpiryTimer timer = timer(() -> true);

    private ExpiryTimer timer(BooleanSupplier wanted) {
        ExpiredPurge purge = new ExpiredPurge(engine, pipeline, meter, new ClockLeapRepair(engine, pipeline, () -> {}));
        return new ExpiryTimer(engine, purge, wanted, TimerThread::new, SOON);
    }

    /** A thread that cannot be started while there are none. */
    private final class TimerThread extends Thread {

        private TimerThread(Runnable work) {
            super(work);
        }

        @Override
        public synchronized void start() {
            if (noThreads.get()) {
                throw new OutOfMemoryError("on purpose: no thread to be had");
            }
            super.start();
        }
    }

    @AfterEach
    void stop() {
        timer.stop();
        timer.awaitStopped(Deadline.in(Duration.ofSeconds(30)));
    }

    @Test
    void anErrorOfAPurgeDoesNotEndIt() {
        engine.put(Rows.expiring("a", 1, Rows.NOW));
        engine.onCommit(transaction -> failTwice());
        timer.start();
        Awaitility.await().until(() -> engine.rows().isEmpty());
        assertThat(failures).hasValueGreaterThan(2);
        assertThat(timer.ensureRunning()).isTrue();
    }

    @Test
    void anErrorBetweenPurgesDoesNotEndIt() {
        engine.put(Rows.expiring("a", 1, Rows.NOW));
        AtomicBoolean begun = new AtomicBoolean();
        timer = timer(() -> {
            if (begun.getAndSet(true)) { // in the thread, not in start()
                failTwice();
            }
            return true;
        });
        timer.start();
        Awaitility.await().until(() -> engine.rows().isEmpty());
        assertThat(failures).hasValueGreaterThan(2);
    }

    private void failTwice() {
        if (failures.incrementAndGet() <= 2) {
            throw new OutOfMemoryError("on purpose");
        }
    }

    @Test
    void onASharedEngineAnExpiryWithoutAReportIsFoundWhenTheSleepIsOver() {
        FakeEngine shared = new FakeEngine(new FakeDatabase(clock));
        CommitPipeline ofShared = PipelineBuilder.on(shared).meter(meter).build();
        List<Thread> threads = new CopyOnWriteArrayList<>();
        ThreadFactory factory = work -> {
            threads.add(new Thread(work));
            return threads.get(0);
        };
        ExpiredPurge purge = new ExpiredPurge(shared, ofShared, meter, new ClockLeapRepair(shared, ofShared, () -> {}));
        timer = new ExpiryTimer(shared, purge, () -> true, factory, SOON);
        timer.start();
        Awaitility.await().until(() -> threads.get(0).getState() == Thread.State.TIMED_WAITING);
        shared.put(Rows.expiring("a", 1, Rows.NOW)); // of another process, whose report was lost
        Awaitility.await().until(() -> {
            LockSupport.unpark(threads.get(0)); // stands for the end of the sleep
            return shared.rows().isEmpty();
        });
    }

    @Test
    void aThreadThatWasNotToBeHadIsMissedAndStartedLater() {
        engine.put(Rows.expiring("a", 1, Rows.NOW));
        noThreads.set(true);
        assertThat(catchThrowable(timer::start)).isInstanceOf(OutOfMemoryError.class);
        assertThat(timer.ensureRunning()).isFalse();
        noThreads.set(false);
        assertThat(timer.ensureRunning()).isTrue();
        Awaitility.await().until(() -> engine.rows().isEmpty());
    }
}
