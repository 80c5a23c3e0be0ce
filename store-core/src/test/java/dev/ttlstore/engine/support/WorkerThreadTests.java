package dev.ttlstore.engine.support;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

import dev.ttlstore.contract.Promise;
import dev.ttlstore.contract.Threads;
import dev.ttlstore.contract.Waiter;

import static dev.ttlstore.contract.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** A loop that goes on whatever happens. */
@Promise(24)
class WorkerThreadTests {

    private static final long SOON = TimeUnit.MILLISECONDS.toNanos(1);

    private final RetryLog retries = new RetryLog(LoggerFactory.getLogger(getClass()), "The work has failed");
    private final List<Thread> created = new CopyOnWriteArrayList<>();
    private final AtomicInteger turns = new AtomicInteger();
    private WorkerThread thread = worker(this::note, this::sleepUntilStopped);

    private WorkerThread worker(ThreadFactory threads, Runnable loop) {
        return new WorkerThread(threads, retries, SOON, loop);
    }

    private Thread note(Runnable work) {
        Thread next = BackgroundThreads.named("test").newThread(work);
        created.add(next);
        return next;
    }

    private void sleepUntilStopped() {
        while (!thread.isStopped()) {
            turns.incrementAndGet();
            thread.sleep(Long.MAX_VALUE);
        }
    }

    @AfterEach
    void end() {
        thread.end(30_000);
        assertThat(thread.isRunning()).isFalse();
    }

    @Test
    void anErrorOfTheLoopBeginsItAgainInTheSameThread() {
        thread = worker(this::note, () -> {
            if (turns.incrementAndGet() <= 2) {
                throw new OutOfMemoryError("on purpose");
            }
        });
        thread.start();
        Awaitility.await().until(() -> turns.get() == 3);
        assertThat(created).hasSize(1);
    }

    @Test
    void aThreadThatIsGoneIsStartedAgain() {
        AtomicBoolean mortal = new AtomicBoolean(true);
        thread = worker(work -> note(mortal.getAndSet(false) ? () -> {} : work), this::sleepUntilStopped);
        thread.start();
        Awaitility.await().until(() -> !thread.isRunning());
        assertThat(thread.ensureRunning()).isTrue();
        Awaitility.await().until(() -> turns.get() == 1);
    }

    @Test
    void withoutAThreadTheNextCallTriesAgain() {
        AtomicBoolean none = new AtomicBoolean(true);
        thread = worker(
                work -> {
                    if (none.get()) {
                        throw new OutOfMemoryError("unable to create native thread, on purpose");
                    }
                    return note(work);
                },
                this::sleepUntilStopped);
        assertThatExceptionOfType(OutOfMemoryError.class).isThrownBy(thread::start);
        assertThat(thread.ensureRunning()).isFalse();
        none.set(false);
        assertThat(thread.ensureRunning()).isTrue();
        Awaitility.await().until(() -> turns.get() == 1);
    }

    @Test
    void aWakeUpBeforeTheSleepEndsIt() {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch woken = new CountDownLatch(1);
        thread = worker(this::note, () -> {
            begun.countDown();
            Threads.await(woken); // which uses up what unpark has left
            sleepUntilStopped();
        });
        thread.start();
        Threads.await(begun);
        thread.wake();
        woken.countDown();
        Awaitility.await().until(() -> turns.get() >= 2);
    }

    @Test
    void aWakeUpWhileTheThreadIsBeingStartedEndsItsSleep() {
        CountDownLatch running = new CountDownLatch(1);
        CountDownLatch woken = new CountDownLatch(1);
        thread = worker(
                work -> new Thread(work) {
                    @Override
                    public synchronized void start() {
                        super.start();
                        running.countDown();
                        Threads.await(woken); // as if the starting thread had to wait for a processor
                    }
                },
                this::sleepUntilStopped);
        Waiter<Boolean> starting = Waiter.start(() -> {
            thread.start();
            return true;
        });
        Threads.await(running);
        Awaitility.await().until(() -> turns.get() == 1);
        thread.wake();
        woken.countDown();
        assertThat(starting.get()).isTrue();
        Awaitility.await().until(() -> turns.get() >= 2);
    }

    @Test
    void anInterruptThatWasLeftSetDoesNotKeepTheLoopBusy() {
        thread.start();
        Awaitility.await().until(() -> turns.get() == 1);
        thread.interrupt();
        Awaitility.await().until(() -> turns.get() == 2);
        Awaitility.await().until(() -> created.get(0).getState() == Thread.State.TIMED_WAITING);
        assertThat(turns).hasValue(2);
    }

    @Test
    void whatComesWhileTheLoopEndsIsDoneByItOrByAnotherThread() {
        AtomicInteger todo = new AtomicInteger();
        AtomicInteger done = new AtomicInteger();
        BooleanSupplier isTodo = () -> todo.get() > done.get();
        thread = worker(this::note, () -> {
            do {
                while (isTodo.getAsBoolean()) {
                    done.incrementAndGet();
                }
            } while (thread.goesOn(isTodo));
        });
        for (int i = 1; i <= 2_000; i++) {
            todo.set(i);
            thread.start();
            while (done.get() < i) {
                Thread.onSpinWait();
            }
        }
        Awaitility.await().until(() -> !thread.isRunning());
        assertThat(created).hasSizeGreaterThan(1);
    }

    @Test
    void anErrorOfTheQuestionWhetherItGoesOnLeavesOneThread() {
        AtomicBoolean fails = new AtomicBoolean(true);
        thread = worker(this::note, () -> {
            turns.incrementAndGet();
            boolean unused = thread.goesOn(() -> {
                if (fails.get()) {
                    throw new OutOfMemoryError("on purpose");
                }
                return false;
            });
        });
        thread.start();
        Awaitility.await().until(() -> turns.get() > 2);
        thread.start();
        assertThat(created).hasSize(1);
        fails.set(false);
        Awaitility.await().until(() -> !thread.isRunning());
    }

    @Test
    void aPauseAfterTheStopTakesNoTime() {
        thread = worker(this::note, () -> {
            sleepUntilStopped(); // which uses up the wake-up
            thread.pause(Long.MAX_VALUE);
        });
        endsAtOnce();
    }

    @Test
    void anErrorAfterTheStopDelaysTheEndByNoPause() {
        AtomicBoolean fails = new AtomicBoolean(true);
        thread = new WorkerThread(this::note, retries, Long.MAX_VALUE, () -> {
            sleepUntilStopped();
            if (fails.getAndSet(false)) {
                throw new IllegalStateException("on purpose");
            }
        });
        endsAtOnce();
    }

    private void endsAtOnce() {
        thread.start();
        Awaitility.await().until(() -> turns.get() == 1);
        thread.end(10_000);
        assertThat(thread.isRunning()).isFalse();
    }

    @Test
    void whatWasStoppedStartsNoMore() {
        thread.start();
        thread.end(30_000);
        assertThat(thread.ensureRunning()).isTrue();
        assertThat(thread.isRunning()).isFalse();
        assertThat(created).hasSize(1);
    }
}
