package dev.ttlstore.spring.ratelimit;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.engine.support.BackgroundThreads;

import io.github.bucket4j.TimeoutException;

/**
 * Calls of the store that end in time for their callers. The store may wait for longer, for a connection or for the database, so such a
 * call runs in a thread of its own; one that has not begun in time never does. Thread-safe.
 */
final class TimedCalls {

    /** How many calls wait for the store at once. Others wait for them. */
    private static final int MOST_THREADS = 64;

    /** How many calls wait for a thread, so that a database that is away does not fill the heap. */
    private static final int MOST_WAITING = 10_000;

    private static final long IDLE_SECONDS = 30;

    private final Executor executor;

    /** The limit of all calls of one request, for the exception. */
    private final long requestNanos;

    /**
     * Prepares calls.
     *
     * @param executor runs those that have a limit, and asynchronous ones
     * @param requestNanos the limit of all calls of one request; zero if there is none
     */
    TimedCalls(Executor executor, long requestNanos) {
        this.executor = executor;
        this.requestNanos = requestNanos;
    }

    /** Creates threads as they are needed, none of which stays. */
    static Executor threads() {
        ThreadPoolExecutor threads = new ThreadPoolExecutor(
                MOST_THREADS,
                MOST_THREADS,
                IDLE_SECONDS,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(MOST_WAITING),
                BackgroundThreads.named("ttl-store-rate-limit"));
        threads.allowCoreThreadTimeOut(true);
        return threads;
    }

    /**
     * Makes a call in this thread, or waits for it if there is a limit.
     *
     * @param nanos how long to wait at most
     * @param effect what nobody knows after that, for the exception; empty if nothing
     * @throws TimeoutException if it takes longer
     */
    <R> R call(Optional<Long> nanos, String effect, Supplier<R> work) {
        if (nanos.isEmpty()) {
            return work.get();
        }
        CompletableFuture<R> running = start(nanos, effect, work);
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return running.get();
                } catch (InterruptedException e) { // it ends in time, and has effect or not
                    interrupted = true;
                }
            }
        } catch (ExecutionException e) {
            throw failure(e.getCause());
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Makes a call in another thread. */
    <R> CompletableFuture<R> start(Optional<Long> nanos, String effect, Supplier<R> work) {
        long start = System.nanoTime();
        CompletableFuture<R> running = new CompletableFuture<>();
        try {
            executor.execute(() -> run(work, running));
        } catch (RejectedExecutionException e) {
            running.completeExceptionally(new RejectedExecutionException(
                    "So many calls of rate limits wait for the store that there is no room for another one, so nothing was changed."
                            + " Find what holds up the database",
                    e));
        }
        if (nanos.isEmpty()) {
            return running;
        }
        long limit = nanos.get();
        return running.orTimeout(limit, TimeUnit.NANOSECONDS).handle((answer, failure) -> {
            if (failure == null) {
                return answer;
            }
            throw failure instanceof java.util.concurrent.TimeoutException
                    ? new CompletionException(timedOut(requestNanos - limit + System.nanoTime() - start, effect))
                    : new CompletionException(failure);
        });
    }

    private static <R> void run(Supplier<R> work, CompletableFuture<R> running) {
        if (running.isDone()) {
            return; // too late
        }
        try {
            running.complete(work.get());
        } catch (RuntimeException | Error e) {
            running.completeExceptionally(e);
        }
    }

    private TimeoutException timedOut(long elapsed, String effect) {
        return new TimeoutException(
                "The store has not answered within " + TimeUnit.NANOSECONDS.toMillis(requestNanos)
                        + " ms, the request timeout. "
                        + (effect.isEmpty() ? "Nothing was changed" : "Nobody knows whether " + effect)
                        + ". Find what holds up the database, or raise the timeout",
                elapsed,
                requestNanos);
    }

    private static RuntimeException failure(@Nullable Throwable cause) {
        if (cause instanceof Error error) {
            throw error;
        }
        return cause instanceof RuntimeException exception ? exception : new IllegalStateException(cause);
    }
}
