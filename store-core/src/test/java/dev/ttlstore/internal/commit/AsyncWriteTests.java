package dev.ttlstore.internal.commit;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import dev.ttlstore.contract.MovableClock;
import dev.ttlstore.contract.Promise;
import dev.ttlstore.contract.Recorder;
import dev.ttlstore.contract.Threads;
import dev.ttlstore.contract.Waiter;
import dev.ttlstore.engine.ExpiryRule;
import dev.ttlstore.engine.Operation;
import dev.ttlstore.engine.Request;
import dev.ttlstore.engine.commit.FakeEngine;
import dev.ttlstore.engine.commit.Rows;
import dev.ttlstore.engine.commit.Writes;
import dev.ttlstore.engine.support.BackgroundThreads;
import dev.ttlstore.engine.support.Deadline;
import dev.ttlstore.engine.support.OnDemandThread;
import dev.ttlstore.exception.StoreClosedException;
import dev.ttlstore.internal.access.Mutation;
import dev.ttlstore.internal.watch.Dispatchers;
import dev.ttlstore.internal.watch.EventDispatcher;

import static dev.ttlstore.contract.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** Writes whose callers don't wait. */
class AsyncWriteTests {

    private final FakeEngine engine = new FakeEngine(new MovableClock());
    private final EventDispatcher dispatcher = Dispatchers.plain();
    private final CountDownLatch inCommit = new CountDownLatch(1);
    private final CountDownLatch release = new CountDownLatch(1);
    private final CommitPipeline pipeline =
            PipelineBuilder.on(engine).dispatcher(dispatcher).build();

    @AfterEach
    void close() {
        release.countDown();
        pipeline.close(Deadline.in(Duration.ofSeconds(30)));
    }

    @Test
    @Promise(11)
    void theFutureHasTheAnswerOfTheWrite() {
        assertThat(Threads.get(Async.submit(pipeline, put("a")))).isEqualTo(1);
        assertThat(Threads.get(Async.submit(pipeline, Writes.delete(Rows.key("b")))))
                .isFalse();
        assertThat(engine.rows()).containsOnlyKeys(Rows.key("a"));
    }

    @Test
    @Promise(14)
    void theListenersHaveBeenToldWhenTheFutureIsCompleted() {
        CountDownLatch told = new CountDownLatch(1);
        Dispatchers.subscribe(dispatcher, event -> {
            told.countDown();
            Threads.await(release);
        });
        CompletableFuture<Long> future = Async.submit(pipeline, put("a"));
        Threads.await(told);
        assertThat(future).isNotDone();
        release.countDown();
        assertThat(Threads.get(future)).isEqualTo(1);
    }

    @Test
    @Promise(14)
    void theListenersHaveBeenToldAlsoOfWhatAListenerHasCommitted() {
        List<CompletableFuture<Long>> futures = new ArrayList<>();
        List<Boolean> doneTooEarly = new ArrayList<>();
        Dispatchers.subscribe(dispatcher, event -> {
            if (event.sequence() == 1) {
                for (int i = 0; i < 20; i++) {
                    futures.add(Async.submit(pipeline, put("async" + i)));
                    Writes.submit(pipeline, put("sync" + i));
                }
                doneTooEarly.add(futures.stream().anyMatch(CompletableFuture::isDone));
            }
        });
        Recorder recorder = new Recorder();
        Dispatchers.subscribe(dispatcher, recorder);
        Writes.submit(pipeline, put("a"));
        futures.forEach(Threads::get);
        assertThat(doneTooEarly).containsExactly(false);
        assertThat(recorder.events()).hasSize(41);
    }

    @Test
    @Promise(8)
    void theFutureFailsWithTheVeryExceptionOfTheMutation() {
        IllegalArgumentException failure = new IllegalArgumentException("on purpose");
        CompletableFuture<Boolean> future = Async.submit(pipeline, Writes.failing(failure));
        Awaitility.await().until(future::isDone);
        assertThat(future.handle((answer, thrown) -> thrown).join()).isSameAs(failure);
        assertThat(Threads.get(Async.submit(pipeline, put("a")))).isPositive();
    }

    @Test
    @Promise(11)
    void writesThatQueueUpShareACommit() {
        holdUpCommits();
        List<CompletableFuture<Long>> futures = new ArrayList<>();
        futures.add(Async.submit(pipeline, put("first")));
        Threads.await(inCommit);
        for (int i = 0; i < 500; i++) {
            futures.add(Async.submit(pipeline, put("key" + i)));
        }
        release.countDown();
        futures.forEach(Threads::get);
        assertThat(engine.commits()).isEqualTo(2);
        assertThat(engine.rows()).hasSize(501);
    }

    @Test
    @Promise(11)
    void noWriteIsForgottenHoweverManyThreadsSubmit() {
        List<List<CompletableFuture<Long>>> all = Threads.together(4, thread -> {
            List<CompletableFuture<Long>> futures = new ArrayList<>();
            for (int i = 0; i < 500; i++) {
                futures.add(Async.submit(pipeline, put(thread + "-" + i)));
                if (i % 50 == 0) {
                    Writes.submit(pipeline, put(thread + "-sync-" + i));
                }
            }
            return futures;
        });
        all.forEach(futures -> futures.forEach(Threads::get));
        assertThat(engine.rows()).hasSize(4 * 510);
    }

    @Test
    void whatDependsOnAFutureDoesNotHoldUpTheThreadThatCommits() {
        holdUpCommits();
        CompletableFuture<Long> first = Async.submit(pipeline, put("a"));
        CompletableFuture<Boolean> second =
                Async.submit(pipeline, Writes.failing(new IllegalStateException("on purpose")));
        Threads.await(inCommit);
        CompletableFuture<String> threadOfFirst =
                first.thenApply(version -> Thread.currentThread().getName());
        CompletableFuture<String> threadOfSecond =
                second.handle((answer, thrown) -> Thread.currentThread().getName());
        release.countDown();
        assertThat(Threads.get(threadOfFirst)).doesNotContain("commit");
        assertThat(Threads.get(threadOfSecond)).doesNotContain("commit");
    }

    @Test
    @Promise(22)
    void closingCompletesAllThatWasSubmitted() {
        holdUpCommits();
        List<CompletableFuture<Long>> futures = new ArrayList<>();
        futures.add(Async.submit(pipeline, put("first")));
        Threads.await(inCommit);
        for (int i = 0; i < 10; i++) {
            futures.add(Async.submit(pipeline, put("key" + i)));
        }
        Waiter<Boolean> closing = Waiter.start(() -> {
            pipeline.close(Deadline.in(Duration.ofSeconds(30)));
            return true;
        });
        release.countDown();
        assertThat(closing.get()).isTrue();
        futures.forEach(Threads::get);
        assertThat(engine.rows()).hasSize(11);
    }

    @Test
    @Promise(22)
    void aWriteToAClosedStoreIsRefusedThroughItsFuture() {
        pipeline.close(Deadline.in(Duration.ofSeconds(30)));
        CompletableFuture<Long> late = Async.submit(pipeline, put("late"));
        assertThatExceptionOfType(StoreClosedException.class).isThrownBy(() -> Threads.get(late));
    }

    @Test
    @Promise(24)
    void aCallerWaitsWhileTheWritesThatWaitTakeTooMuchMemory() {
        holdUpCommits();
        CompletableFuture<Long> first = Async.submit(pipeline, put("first"));
        Threads.await(inCommit);
        byte[] large = new byte[(int) (CommitPipeline.MOST_WAITING / 4)];
        List<CompletableFuture<Long>> futures = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            futures.add(Async.submit(pipeline, put("key" + i, large)));
        }
        Waiter<CompletableFuture<Long>> waiting = Waiter.start(() -> Async.submit(pipeline, put("waiting", large)));
        assertThat(waiting.isDone()).isFalse();
        release.countDown();
        Threads.get(waiting.get());
        futures.forEach(Threads::get);
        assertThat(first).isDone();
    }

    @Test
    @Promise(24)
    void theRoomOfAWriteThatFailsIsFreeAgain() {
        byte[] large = new byte[(int) CommitPipeline.MOST_WAITING];
        for (int i = 0; i < 3; i++) {
            CompletableFuture<Boolean> failed =
                    Async.submit(pipeline, failing(put("key", large), new IllegalStateException("on purpose")));
            assertThatExceptionOfType(IllegalStateException.class).isThrownBy(() -> Threads.get(failed));
        }
    }

    @Test
    @Promise({14, 24})
    void aListenerDoesNotWaitForTheWritesThatWaitForIt() {
        byte[] large = new byte[(int) CommitPipeline.MOST_WAITING];
        List<CompletableFuture<Long>> futures = new ArrayList<>();
        Dispatchers.subscribe(dispatcher, event -> {
            if (event.sequence() == 1) {
                for (int i = 0; i < 3; i++) {
                    futures.add(Async.submit(pipeline, put("key" + i, large)));
                }
            }
        });
        Writes.submit(pipeline, put("a"));
        futures.forEach(Threads::get);
        assertThat(engine.rows()).hasSize(4);
    }

    @Test
    void aWakeUpIsNeverLost() {
        Queue<Integer> queue = new ConcurrentLinkedQueue<>();
        AtomicInteger done = new AtomicInteger();
        OnDemandThread committer = new OnDemandThread(
                BackgroundThreads.named("test"),
                "Tests",
                () -> {
                    while (queue.poll() != null) {
                        done.incrementAndGet();
                    }
                },
                true);
        for (int round = 1; round <= 100; round++) {
            int expected = round * 4;
            Threads.together(4, thread -> {
                queue.add(thread);
                committer.wake();
                return true;
            });
            Awaitility.await().pollDelay(Duration.ZERO).until(() -> done.get() == expected);
        }
        committer.close();
    }

    @Test
    @Promise(22)
    void aCommitterThatWasClosedHasItsWorkDoneByWhoeverWakesIt() {
        AtomicReference<Thread> worker = new AtomicReference<>();
        OnDemandThread committer = new OnDemandThread(
                BackgroundThreads.named("test"), "Tests", () -> worker.set(Thread.currentThread()), true);
        committer.close();
        committer.wake();
        assertThat(worker.get()).isSameAs(Thread.currentThread());
        worker.set(null);
        committer.wake();
        assertThat(worker.get()).isSameAs(Thread.currentThread());
    }

    private void holdUpCommits() {
        engine.onCommit(transaction -> {
            inCommit.countDown();
            Threads.await(release);
        });
    }

    private static Mutation<Long> put(String key) {
        return put(key, Rows.value("new"));
    }

    private static Mutation<Long> put(String key, byte[] value) {
        return Mutation.put(Rows.key(key), value, ExpiryRule.NEVER);
    }

    /** Fails after a write. */
    private static Mutation<Boolean> failing(Mutation<?> first, RuntimeException failure) {
        List<Operation> operations = new ArrayList<>(first.request().operations());
        operations.addAll(Writes.failing(failure).request().operations());
        return new Mutation<>(Request.all(operations), answer -> true);
    }
}
