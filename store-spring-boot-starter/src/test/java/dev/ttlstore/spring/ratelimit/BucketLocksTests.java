package dev.ttlstore.spring.ratelimit;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.core.task.SimpleAsyncTaskExecutor;

import static org.assertj.core.api.Assertions.assertThat;

class BucketLocksTests {

    private final SimpleAsyncTaskExecutor threads = new SimpleAsyncTaskExecutor();

    @AfterEach
    void close() {
        threads.close();
    }

    @Test
    void oneThreadAtATimeHasATurn() throws Exception {
        BucketLocks turns = new BucketLocks(TimeUnit.MINUTES.toNanos(1));
        AtomicInteger inside = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        List<Future<?>> running = new ArrayList<>();
        for (int thread = 0; thread < 4; thread++) {
            running.add(threads.submit(() -> {
                for (int i = 0; i < 200; i++) {
                    int unused = turns.in("key", () -> {
                        int now = inside.incrementAndGet();
                        return most.accumulateAndGet(now, Math::max) + inside.decrementAndGet();
                    });
                }
            }));
        }
        for (Future<?> one : running) {
            Object unused = one.get(1, TimeUnit.MINUTES);
        }
        assertThat(most).hasValue(1);
        assertThat(turns.size()).isZero();
    }

    @Test
    void aThreadThatHasWaitedForTooLongOrIsInterruptedGoesWithout() throws Exception {
        BucketLocks turns = new BucketLocks(TimeUnit.MILLISECONDS.toNanos(1));
        CountDownLatch entered = new CountDownLatch(1);
        CountDownLatch end = new CountDownLatch(1);
        Future<Boolean> holder = threads.submit(() -> turns.in("key", () -> {
            entered.countDown();
            try {
                return end.await(1, TimeUnit.MINUTES);
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }));
        assertThat(entered.await(1, TimeUnit.MINUTES)).isTrue();
        assertThat(turns.in("other", () -> "at once")).isEqualTo("at once");
        assertThat(turns.in("key", () -> "without")).isEqualTo("without");
        Thread.currentThread().interrupt();
        assertThat(turns.in("key", () -> "interrupted")).isEqualTo("interrupted");
        assertThat(Thread.interrupted()).isTrue();
        end.countDown();
        assertThat(holder.get(1, TimeUnit.MINUTES)).isTrue();
        assertThat(turns.size()).isZero();
    }
}
