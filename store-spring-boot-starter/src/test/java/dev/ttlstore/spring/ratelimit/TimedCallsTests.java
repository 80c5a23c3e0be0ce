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
                .isInstanceOf(TimeoutException.class);
        waiting.forEach(Runnable::run);
        assertThat(made).hasValue(0);
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
        TimedCalls refused = new TimedCalls(full, 1, 1);
        for (int i = 0; i < 2; i++) {
            assertThatThrownBy(() -> refused.call(Optional.of(TimeUnit.DAYS.toNanos(1)), "", () -> 1))
                    .isInstanceOf(RejectedExecutionException.class);
        }
    }

    @Test
    void aCallForWhichThereIsNoRoomHasChangedNothing() {
        List<Runnable> waiting = new ArrayList<>();
        TimedCalls calls = new TimedCalls(waiting::add, 1, 1);
        assertThatThrownBy(() -> calls.call(Optional.of(1L), "tokens were taken", () -> 1))
                .hasMessageContaining("Nobody knows whether tokens were taken");
        assertThatThrownBy(() -> calls.call(Optional.of(1L), "tokens were taken", () -> 1))
                .isInstanceOf(TimeoutException.class)
                .hasMessageContaining("Nothing was changed");
        assertThat(waiting).hasSize(1);
        waiting.get(0).run();
        assertThat(calls.start(Optional.empty(), "", () -> 2)).isNotDone();
        waiting.get(1).run();
    }

    @Test
    void whatDependsOnACallMayMakeAnother() {
        TimedCalls calls = new TimedCalls(null, 1, 1);
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
        TimedCalls calls = new TimedCalls(later, 1, 1);
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
                try {
                    return begun.await(1, TimeUnit.MINUTES);
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
            });
        }
        assertThat(begun.await(1, TimeUnit.MINUTES)).isTrue();
    }
}
