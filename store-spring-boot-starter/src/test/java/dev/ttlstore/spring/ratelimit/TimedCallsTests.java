package dev.ttlstore.spring.ratelimit;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import org.junit.jupiter.api.Test;

import io.github.bucket4j.TimeoutException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class TimedCallsTests {

    @Test
    void aCallThatHasNotBegunInTimeNeverDoes() {
        List<Runnable> waiting = new ArrayList<>();
        TimedCalls calls = new TimedCalls(waiting::add, 1);
        AtomicInteger made = new AtomicInteger();
        assertThatThrownBy(() -> calls.call(Optional.of(1L), "tokens were taken", made::incrementAndGet))
                .isInstanceOf(TimeoutException.class)
                .hasMessageContaining("Nothing was changed");
        waiting.forEach(Runnable::run);
        assertThat(made).hasValue(0);
    }

    @Test
    void nobodyKnowsWhatACallHasChangedThatEndsTooLate() {
        TimedCalls calls = new TimedCalls(null, 1);
        CountDownLatch timedOut = new CountDownLatch(1);
        assertThatThrownBy(() -> calls.call(
                        Optional.of(TimeUnit.MILLISECONDS.toNanos(200)), "tokens were taken", () -> await(timedOut)))
                .isInstanceOf(TimeoutException.class)
                .hasMessageContaining("Nobody knows whether tokens were taken");
        timedOut.countDown();
    }

    private static boolean await(CountDownLatch latch) {
        try {
            return latch.await(1, TimeUnit.MINUTES);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void whatACallThrowsIsThrown() {
        TimedCalls calls = new TimedCalls(Runnable::run, 1);
        IllegalArgumentException refusal = new IllegalArgumentException("refused");
        assertThatThrownBy(() -> calls.call(Optional.of(TimeUnit.DAYS.toNanos(1)), "", () -> {
                    throw refusal;
                }))
                .isSameAs(refusal);
        Executor full = task -> {
            throw new RejectedExecutionException("full");
        };
        TimedCalls refused = new TimedCalls(full, 1, 1, 1);
        for (int i = 0; i < 2; i++) {
            assertThatThrownBy(() -> refused.call(Optional.of(TimeUnit.DAYS.toNanos(1)), "", () -> 1))
                    .isInstanceOf(RejectedExecutionException.class);
        }
    }

    /** An event loop may be the caller. */
    @Test
    void anAsynchronousCallWaitsInALineAndNotInItsCaller() {
        List<Runnable> threads = new ArrayList<>();
        TimedCalls calls = new TimedCalls(threads::add, 1, 1, 2);
        List<Integer> made = new ArrayList<>();
        List<CompletableFuture<Boolean>> results = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            int number = i;
            results.add(calls.start(Optional.empty(), "", () -> made.add(number)));
        }
        assertThat(threads).hasSize(1);
        assertThat(results.get(2)).isNotDone();
        assertThatThrownBy(results.get(3)::join)
                .hasCauseInstanceOf(RejectedExecutionException.class)
                .hasMessageContaining("nothing was changed");
        for (int i = 0; i < threads.size(); i++) { // more are started meanwhile
            threads.get(i).run();
        }
        assertThat(made).containsExactly(0, 1, 2);
        assertThat(results.subList(0, 3)).allMatch(result -> result.join());
    }

    /** As on a machine that has no more threads. */
    @Test
    void theLineGoesOnIfNoThreadCanBeStarted() {
        List<Runnable> threads = new ArrayList<>();
        TimedCalls calls = new TimedCalls(
                task -> {
                    if (!threads.isEmpty()) {
                        throw new OutOfMemoryError("unable to create native thread");
                    }
                    threads.add(task);
                },
                1,
                1,
                2);
        List<CompletableFuture<Integer>> results = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            int number = i;
            results.add(calls.start(Optional.empty(), "", () -> number));
        }
        threads.get(0).run();
        assertThat(results.stream().map(CompletableFuture::join)).containsExactly(0, 1, 2);
        assertThatThrownBy(() -> calls.start(Optional.empty(), "", () -> 3).join())
                .hasCauseInstanceOf(OutOfMemoryError.class);
    }

    @Test
    void aCallThatIsGivenUpLeavesTheLine() {
        List<Runnable> threads = new ArrayList<>();
        TimedCalls calls = new TimedCalls(threads::add, 1, 1, 1);
        CompletableFuture<Integer> first = calls.start(Optional.empty(), "", () -> 1);
        assertThatThrownBy(() -> calls.call(Optional.of(1L), "tokens were taken", () -> 2))
                .isInstanceOf(TimeoutException.class)
                .hasMessageContaining("Nothing was changed");
        CompletableFuture<Integer> third = calls.start(Optional.empty(), "", () -> 3);
        assertThat(threads).hasSize(1);
        threads.get(0).run();
        threads.get(1).run();
        assertThat(first).isCompletedWithValue(1);
        assertThat(third).isCompletedWithValue(3);
    }

    @Test
    void whatDependsOnACallMayMakeAnother() {
        TimedCalls calls = new TimedCalls(null, 1, 1, 1);
        assertThat(calls.start(Optional.empty(), "", () -> 1)
                        .thenApply(one -> calls.call(Optional.of(TimeUnit.MINUTES.toNanos(1)), "", () -> one + 1))
                        .join())
                .isEqualTo(2);
    }

    @Test
    void whatDependsOnAFailedCallMayMakeAnother() {
        List<Runnable> first = new ArrayList<>();
        Executor later = task -> {
            if (first.isEmpty()) {
                first.add(task);
            } else {
                task.run();
            }
        };
        TimedCalls calls = new TimedCalls(later, 1, 1, 1);
        CompletableFuture<Integer> retried = calls.<Integer>start(Optional.empty(), "", () -> {
                    throw new IllegalStateException("The connection is lost");
                })
                .exceptionallyCompose(failure -> calls.start(Optional.of(TimeUnit.SECONDS.toNanos(5)), "", () -> 1));
        first.get(0).run();
        assertThat(retried).isCompletedWithValue(1);
    }

    /** Or a fast caller would be limited by what others wait for in the pool of the whole application. */
    @Test
    void manyCallsMayWaitAtOnce() throws Exception {
        TimedCalls calls = new TimedCalls(null, 0);
        CountDownLatch begun = new CountDownLatch(16);
        for (int i = 0; i < 16; i++) {
            Object unused = calls.start(Optional.empty(), "", () -> {
                begun.countDown();
                return await(begun);
            });
        }
        assertThat(begun.await(1, TimeUnit.MINUTES)).isTrue();
    }
}
