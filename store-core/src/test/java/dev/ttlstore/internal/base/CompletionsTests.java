package dev.ttlstore.internal.base;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import dev.ttlstore.contract.Promise;
import dev.ttlstore.contract.Threads;
import dev.ttlstore.engine.support.BackgroundThreads;

import static dev.ttlstore.contract.Assertions.assertThat;

@Promise(23)
class CompletionsTests {

    private static final int LEAST = 2;
    private static final int MOST = 8;

    private final Set<Thread> threads = ConcurrentHashMap.newKeySet();
    private final Completions completions =
            new Completions(null, noted(BackgroundThreads.named("test")), noted(watchers()), LEAST, MOST);
    private final CountDownLatch release = new CountDownLatch(1);

    @AfterEach
    void close() {
        release.countDown();
        completions.close();
    }

    private ThreadFactory noted(ThreadFactory factory) {
        return work -> {
            Thread thread = factory.newThread(work);
            threads.add(thread);
            return thread;
        };
    }

    private static ThreadFactory watchers() {
        return BackgroundThreads.named("test-watch");
    }

    @Test
    void futuresCompleteWhileDependentsBlockMoreThreadsThanThePoolBeginsWith() {
        List<CompletableFuture<String>> blocked = block(MOST - 1);
        assertThat(Threads.get(completed())).isEqualTo("done");
        Awaitility.await().until(() -> blocked.stream().allMatch(CompletableFuture::isDone));
    }

    @Test
    void dependentsThatBlockAllThreadsDelayTheFuturesOfTheirOwnStoreOnly() {
        List<CompletableFuture<String>> blocked = block(MOST + 1);
        Awaitility.await()
                .until(() -> blocked.stream().filter(CompletableFuture::isDone).count() == MOST);
        CompletableFuture<String> waiting = completed();
        Completions others = new Completions(null);
        CompletableFuture<String> other = new CompletableFuture<>();
        others.complete(Reply.to(other), "done", () -> {});
        assertThat(Threads.get(other)).isEqualTo("done");
        others.close();
        assertThat(waiting).isNotDone();
        release.countDown();
        assertThat(Threads.get(waiting)).isEqualTo("done");
    }

    @Test
    void theThreadsOfThePoolInheritNothingFromTheThreadThatWrites() {
        InheritableThreadLocal<String> user = new InheritableThreadLocal<>();
        AtomicReference<String> seen = new AtomicReference<>();
        user.set("alice");
        try {
            CompletableFuture<String> future = new CompletableFuture<>();
            CompletableFuture<Void> dependent = future.thenAccept(answer -> seen.set(user.get()));
            completions.complete(Reply.to(future), "done", () -> {});
            Threads.get(dependent);
        } finally {
            user.remove();
        }
        assertThat(seen).hasValue(null);
    }

    @Test
    @Promise(22)
    void itsThreadsEndWhenItIsClosedAndEveryFutureCompletesAllTheSame() {
        List<CompletableFuture<String>> blocked = block(MOST + 1);
        completions.close();
        CompletableFuture<String> later = completed();
        release.countDown();
        assertThat(Threads.get(later)).isEqualTo("done");
        blocked.forEach(Threads::get);
        Awaitility.await().until(() -> threads.stream().noneMatch(Thread::isAlive));
    }

    @Test
    void withoutAThreadTheCallerCompletesTheFuture() {
        Completions threadless = new Completions(
                null,
                work -> {
                    throw new OutOfMemoryError("as if");
                },
                watchers(),
                LEAST,
                MOST);
        CompletableFuture<String> future = new CompletableFuture<>();
        threadless.complete(Reply.to(future), "done", () -> {});
        assertThat(future).isCompletedWithValue("done");
        threadless.close();
    }

    @Test
    void withoutAnotherThreadThoseThatAreThereCompleteTheFuture() {
        AtomicInteger created = new AtomicInteger();
        Completions small = new Completions(
                null,
                work -> {
                    if (created.getAndIncrement() > 0) {
                        throw new OutOfMemoryError("as if");
                    }
                    return BackgroundThreads.named("test").newThread(work);
                },
                watchers(),
                LEAST,
                MOST);
        AtomicReference<Thread> ran = new AtomicReference<>();
        CompletableFuture<String> blocked = block(small);
        CompletableFuture<String> future = new CompletableFuture<>();
        CompletableFuture<Void> dependent = future.thenRun(() -> ran.set(Thread.currentThread()));
        small.complete(Reply.to(future), "done", () -> {});
        assertThat(future).isNotDone();
        release.countDown();
        Threads.get(dependent);
        assertThat(ran).doesNotHaveValue(Thread.currentThread());
        Threads.get(blocked);
        small.close();
    }

    /** As without memory at their beginning. */
    @Test
    void threadsThatDieAreReplacedAndNoFutureIsLost() {
        AtomicInteger created = new AtomicInteger();
        List<CompletableFuture<String>> futures = new ArrayList<>();
        Completions broken = new Completions(
                null,
                work -> BackgroundThreads.named("test").newThread(created.getAndIncrement() < LEAST ? () -> {} : work),
                watchers(),
                LEAST,
                MOST);
        for (int i = 0; i < LEAST; i++) {
            CompletableFuture<String> future = new CompletableFuture<>();
            broken.complete(Reply.to(future), "taken by a thread that dies", () -> {});
            futures.add(future);
        }
        CompletableFuture<String> last = new CompletableFuture<>();
        broken.complete(Reply.to(last), "done", () -> {});
        futures.add(last);
        futures.forEach(Threads::get);
        broken.close();
    }

    @Test
    void aStepThatThrowsFailsTheFutureOfTheWhole() {
        CompletableFuture<String> whole = new CompletableFuture<>();
        Error thrown = new OutOfMemoryError("as if");
        Reply<String> step = new Reply<>(whole, answer -> {
            throw thrown;
        });
        completions.complete(step, "of the step", () -> {});
        assertThat(whole)
                .failsWithin(Duration.ofSeconds(30))
                .withThrowableOfType(ExecutionException.class)
                .withCause(thrown);
    }

    @Test
    void eachStepRunsOnceHoweverOftenItsOutcomeComes() {
        AtomicInteger begun = new AtomicInteger();
        AtomicReference<Runnable> accepted = new AtomicReference<>();
        Completions twice = new Completions(task -> {
            accepted.set(task);
            throw new StackOverflowError("after the task was accepted");
        });
        CompletableFuture<String> whole = new CompletableFuture<>();
        Reply<String> step = new Reply<>(whole, answer -> {
            begun.incrementAndGet();
            whole.complete(answer);
        });
        twice.complete(step, "first", () -> {});
        twice.complete(step, "second", () -> {});
        twice.fail(step, new IllegalStateException("third"), () -> {});
        assertThat(Threads.get(whole)).isEqualTo("first");
        Objects.requireNonNull(accepted.get()).run();
        assertThat(begun).hasValue(1);
        twice.close();
    }

    @Test
    @Promise(24)
    void whoeverWatchesThemIsReplacedToo() {
        AtomicInteger created = new AtomicInteger();
        Completions broken = new Completions(
                null,
                BackgroundThreads.named("test"),
                work -> BackgroundThreads.named("test-watch")
                        .newThread(created.getAndIncrement() == 0 ? () -> {} : work),
                LEAST,
                MOST);
        for (int i = 0; i < LEAST; i++) {
            CompletableFuture<String> unused = block(broken);
        }
        Awaitility.await().until(() -> {
            CompletableFuture<String> future = new CompletableFuture<>();
            broken.complete(Reply.to(future), "done", () -> {});
            return future.isDone();
        });
        assertThat(created).hasValueGreaterThan(1);
        release.countDown();
        broken.close();
    }

    @Test
    void theExecutorOfTheApplicationRunsTheDependents() {
        AtomicReference<Thread> ran = new AtomicReference<>();
        Completions elsewhere = new Completions(task -> new Thread(task, "given").start());
        CompletableFuture<String> future = new CompletableFuture<>();
        CompletableFuture<Void> dependent = future.thenRun(() -> ran.set(Thread.currentThread()));
        elsewhere.fail(Reply.to(new CompletableFuture<>()), new IllegalStateException("of another write"), () -> {});
        elsewhere.complete(Reply.to(future), "done", () -> {});
        Threads.get(dependent);
        assertThat(ran.get()).extracting(Thread::getName).isEqualTo("given");
        elsewhere.close();
    }

    @Test
    void anExecutorThatThrowsKeepsNoFutureFromCompleting() {
        for (Throwable thrown : List.of(new RejectedExecutionException("full"), new StackOverflowError("as if"))) {
            Completions refused = new Completions(task -> {
                if (thrown instanceof Error error) {
                    throw error;
                }
                throw (RuntimeException) thrown;
            });
            AtomicReference<Thread> ran = new AtomicReference<>();
            CompletableFuture<String> future = new CompletableFuture<>();
            CompletableFuture<Void> dependent = future.thenRun(() -> ran.set(Thread.currentThread()));
            refused.complete(Reply.to(future), "done", () -> {});
            Threads.get(dependent);
            assertThat(ran.get()).extracting(Thread::getName).isEqualTo(Completions.NAME);
            refused.close();
        }
    }

    /** As one that passes the security context on: the thread that commits for others would pass its own. */
    @Test
    void theExecutorOfTheApplicationIsCalledByAThreadThatHasNothingOfTheOneThatCommits() {
        ThreadLocal<String> user = new ThreadLocal<>();
        AtomicReference<String> passedOn = new AtomicReference<>();
        Completions elsewhere = new Completions(task -> {
            passedOn.set(user.get());
            task.run();
        });
        user.set("alice");
        CompletableFuture<String> future = new CompletableFuture<>();
        elsewhere.complete(Reply.to(future), "done", () -> {});
        assertThat(Threads.get(future)).isEqualTo("done");
        assertThat(passedOn).hasValue(null);
        elsewhere.close();
    }

    @Test
    void anExecutorThatBlocksHoldsUpNeitherTheThreadThatCommitsNorOtherFutures() {
        AtomicInteger tasks = new AtomicInteger();
        Completions elsewhere = new Completions(task -> {
            if (tasks.getAndIncrement() == 0) {
                awaitUnmanaged(release);
            }
            task.run();
        });
        List<CompletableFuture<String>> futures = List.of(new CompletableFuture<>(), new CompletableFuture<>());
        futures.forEach(future -> elsewhere.complete(Reply.to(future), "done", () -> {}));
        assertThat(Threads.get(futures.get(1))).isEqualTo("done");
        assertThat(futures.get(0)).isNotDone();
        release.countDown();
        assertThat(Threads.get(futures.get(0))).isEqualTo("done");
        elsewhere.close();
    }

    private CompletableFuture<String> completed() {
        CompletableFuture<String> future = new CompletableFuture<>();
        completions.complete(Reply.to(future), "done", () -> {});
        return future;
    }

    /** Completes futures whose dependents block, and returns them. */
    private List<CompletableFuture<String>> block(int dependents) {
        List<CompletableFuture<String>> blocked = new ArrayList<>();
        for (int i = 0; i < dependents; i++) {
            blocked.add(block(completions));
        }
        return blocked;
    }

    private CompletableFuture<String> block(Completions blocking) {
        CompletableFuture<String> future = new CompletableFuture<>();
        CompletableFuture<Void> unused = future.thenRun(() -> awaitUnmanaged(release));
        blocking.complete(Reply.to(future), "done", () -> {});
        return future;
    }

    private static void awaitUnmanaged(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
