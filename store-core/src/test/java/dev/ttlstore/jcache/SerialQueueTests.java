package dev.ttlstore.jcache;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import dev.ttlstore.contract.Promise;
import dev.ttlstore.contract.Threads;
import dev.ttlstore.contract.Waiter;
import dev.ttlstore.engine.support.NotAttemptedException;

import static dev.ttlstore.contract.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** The changes that wait for an asynchronous listener of a cache. */
class SerialQueueTests {

    private final ExecutorService executor = Executors.newCachedThreadPool();
    private final CountDownLatch begun = new CountDownLatch(1);
    private final CountDownLatch release = new CountDownLatch(1);
    private final SerialQueue queue = new SerialQueue(executor);

    /** Threads that the test runs by hand. */
    private final Queue<Runnable> threads = new ArrayDeque<>();

    private final List<String> called = new ArrayList<>();
    private boolean noThreads;
    private final SerialQueue byHand = new SerialQueue(work -> {
        if (noThreads) {
            throw new OutOfMemoryError("unable to create native thread, on purpose");
        }
        threads.add(work);
    });

    @AfterEach
    void close() {
        release.countDown();
        executor.shutdown();
    }

    private void hold() {
        queue.add(
                () -> {
                    begun.countDown();
                    Threads.await(release);
                },
                0);
        Threads.await(begun);
    }

    @Test
    @Promise(24)
    void whoAddsChangesWithLargeValuesWaitsUntilThereIsRoom() {
        hold();
        CountDownLatch last = new CountDownLatch(2);
        queue.add(last::countDown, SerialQueue.MOST_BYTES / 2);
        Waiter<Boolean> waiting = Waiter.start(() -> {
            queue.add(last::countDown, SerialQueue.MOST_BYTES / 2);
            return true;
        });
        assertThat(waiting.isDone()).isFalse();
        release.countDown();
        assertThat(waiting.get()).isTrue();
        Threads.await(last);
    }

    @Test
    @Promise({22, 24})
    void aListenerThatChangesTheCacheDoesNotWaitForItself() {
        CountDownLatch last = new CountDownLatch(1);
        List<Integer> order = new ArrayList<>();
        queue.add(
                () -> {
                    queue.add(() -> order.add(2), 2 * SerialQueue.MOST_BYTES);
                    queue.add(last::countDown, 2 * SerialQueue.MOST_BYTES);
                    order.add(1);
                },
                SerialQueue.MOST_BYTES);
        Threads.await(last);
        assertThat(order).containsExactly(1, 2);
    }

    @Test
    @Promise(24)
    void whatAListenerChangesItselfTakesRoomToo() {
        SerialQueue impatient = new SerialQueue(work -> threads.add(work), Duration.ofMillis(1));
        impatient.add(
                () -> {
                    impatient.add(() -> called.add("its own"), 2 * SerialQueue.MOST_BYTES);
                    CompletableFuture.runAsync(() -> impatient.add(() -> called.add("without room"), 0))
                            .join();
                },
                0);
        threads.remove().run();
        assertThat(called).containsExactly("its own");
    }

    @Test
    @Promise(22)
    void nobodyWaitsForEverForAListenerThatDoesNotReturn() {
        SerialQueue impatient = new SerialQueue(work -> threads.add(work), Duration.ofMillis(1));
        impatient.add(() -> called.add("first"), SerialQueue.MOST_BYTES);
        impatient.add(() -> called.add("dropped"), SerialQueue.MOST_BYTES);
        impatient.add(() -> called.add("dropped at once"), SerialQueue.MOST_BYTES);
        threads.remove().run();
        impatient.add(() -> called.add("second"), SerialQueue.MOST_BYTES);
        threads.remove().run();
        assertThat(called).containsExactly("first", "second");
    }

    @Test
    @Promise(17)
    void whoRunsATaskWaitsUntilItHasRun() throws Exception {
        hold();
        Waiter<Boolean> waiting = Waiter.start(() -> queue.run(() -> called.add("it"), 0));
        assertThat(waiting.isDone()).isFalse();
        release.countDown();
        assertThat(waiting.get()).isTrue();
        assertThat(called).containsExactly("it");
        assertThat(queue.run(
                        () -> {
                            throw new OutOfMemoryError("on purpose");
                        },
                        0))
                .isFalse();
    }

    @Test
    @Promise({17, 22})
    void whatIsWaitedForInVainDoesNotRunLater() {
        SerialQueue impatient = new SerialQueue(work -> threads.add(work), Duration.ofMillis(1));
        for (String task : List.of("too late", "dropped")) {
            assertThatExceptionOfType(NotAttemptedException.class)
                    .isThrownBy(() -> impatient.run(() -> called.add(task), SerialQueue.MOST_BYTES));
        }
        threads.remove().run();
        assertThat(called).isEmpty();
    }

    @Test
    @Promise(17)
    void aTaskThatHasBegunIsWaitedForHoweverLongItTakes() throws Exception {
        SerialQueue impatient = new SerialQueue(Runnable::run, Duration.ofNanos(1));
        assertThat(impatient.run(() -> called.add("it"), 0)).isTrue();
        SerialQueue inThread = new SerialQueue(work -> new Thread(work).start(), Duration.ofNanos(1));
        CountDownLatch begun = new CountDownLatch(1);
        Waiter<Boolean> waiting = Waiter.start(() -> inThread.run(
                () -> {
                    begun.countDown();
                    Threads.await(release);
                    return true;
                },
                0));
        Threads.await(begun);
        assertThat(waiting.isDone()).isFalse();
        release.countDown();
        assertThat(waiting.get()).isTrue();
    }

    @Test
    @Promise({17, 22})
    void anInterruptEndsTheWaitAndTheTaskDoesNotBegin() {
        Thread.currentThread().interrupt();
        assertThatExceptionOfType(NotAttemptedException.class)
                .isThrownBy(() -> byHand.run(() -> called.add("interrupted"), 0));
        assertThat(Thread.interrupted()).isTrue();
        threads.remove().run();
        assertThat(called).isEmpty();
    }

    @Test
    @Promise(24)
    void anErrorOfOneCallKeepsNoOtherFromBeingMade() {
        byHand.add(
                () -> {
                    throw new OutOfMemoryError("on purpose");
                },
                0);
        byHand.add(() -> called.add("second"), 0);
        threads.remove().run();
        byHand.add(() -> called.add("third"), 0);
        threads.remove().run();
        assertThat(called).containsExactly("second", "third");
    }

    @Test
    @Promise(24)
    void whatFindsNoThreadIsCalledWithTheNext() {
        noThreads = true;
        assertThatExceptionOfType(OutOfMemoryError.class).isThrownBy(() -> byHand.add(() -> called.add("first"), 0));
        noThreads = false;
        byHand.add(() -> called.add("second"), 0);
        threads.remove().run();
        assertThat(called).containsExactly("first", "second");
    }
}
