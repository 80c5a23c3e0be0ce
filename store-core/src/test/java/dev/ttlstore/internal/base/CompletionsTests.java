package dev.ttlstore.internal.base;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Test;

import dev.ttlstore.contract.Promise;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

@Promise(23)
class CompletionsTests {

    @Test
    void aThreadThatDiesCompletesWhatIsLeftAndItsPoolIsReplaced() throws Exception {
        ForkJoinPool pool = Completions.unbroken();
        CountDownLatch busy = new CountDownLatch(pool.getParallelism());
        CountDownLatch free = new CountDownLatch(1);
        for (int i = 0; i < pool.getParallelism(); i++) {
            pool.execute(() -> {
                busy.countDown();
                awaitUnmanaged(free);
            });
        }
        try {
            busy.await();
            List<CompletableFuture<String>> futures = new ArrayList<>();
            for (int i = 0; i < 40; i++) {
                CompletableFuture<String> future = new CompletableFuture<>();
                futures.add(future);
                Completions.complete(future, "done");
            }

            requireNonNull((Completions.Worker) Completions.Worker.createOrNull(pool))
                    .onTermination(new OutOfMemoryError("as if"));

            assertThat(futures).allMatch(CompletableFuture::isDone);
            CompletableFuture<String> later = new CompletableFuture<>();
            Completions.complete(later, "done"); // by the first thread of either pool that is free
            assertThat(later.get(10, TimeUnit.SECONDS)).isEqualTo("done");
            assertThat(Completions.unbroken()).isNotSameAs(pool);
        } finally {
            free.countDown();
        }
    }

    /** Without telling the pool, which would add a thread. */
    private static void awaitUnmanaged(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
