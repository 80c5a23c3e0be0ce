package dev.ttlstore.internal.base;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.TimeUnit;

import org.jspecify.annotations.Nullable;

/**
 * Completes futures in a thread pool. Code that depends on a future is the caller's, and must not run in a thread that
 * commits for others. The pool is our own, because the common pool creates a thread for each task on a machine with
 * two cores. If a task waits for another future, the pool adds a thread, as {@link ForkJoinPool} does.
 */
public final class Completions {

    private static final int IDLE_SECONDS = 10;
    private static final int MAX_THREADS = 1_024;

    private static final Executor POOL = new ForkJoinPool(
            Math.max(2, Runtime.getRuntime().availableProcessors()),
            pool -> {
                var thread = ForkJoinPool.defaultForkJoinWorkerThreadFactory.newThread(pool);
                thread.setName("ttl-store-futures-" + thread.getPoolIndex());
                return thread;
            },
            null,
            true, // in the order in which the writes were committed
            0,
            MAX_THREADS,
            1,
            null,
            IDLE_SECONDS,
            TimeUnit.SECONDS);

    private Completions() {}

    /**
     * Completes a future.
     *
     * @param future the future
     * @param answer its value
     * @param <R> the type of the answer
     */
    public static <R extends @Nullable Object> void complete(CompletableFuture<R> future, R answer) {
        try {
            POOL.execute(() -> future.complete(answer));
        } catch (RuntimeException | Error e) { // no thread available; better here than never
            boolean unused = future.complete(answer);
        }
    }

    /**
     * Completes a future with a failure.
     *
     * @param future the future
     * @param cause the failure
     */
    public static void fail(CompletableFuture<?> future, Throwable cause) {
        try {
            POOL.execute(() -> future.completeExceptionally(cause));
        } catch (RuntimeException | Error e) { // no thread available; better here than never
            boolean unused = future.completeExceptionally(cause);
        }
    }
}
