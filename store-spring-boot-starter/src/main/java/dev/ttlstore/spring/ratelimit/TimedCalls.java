package dev.ttlstore.spring.ratelimit;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.engine.support.BackgroundThreads;

import io.github.bucket4j.TimeoutException;

/**
 * Calls of the store that end in time for their callers. The store may wait for longer, for a connection or for the database, so such a
 * call runs in another thread. A few may be under way at once; others wait in the threads of their callers, so that a database that is
 * away fills neither the heap nor the process with threads. A call that has not begun in time never does. Thread-safe.
 */
final class TimedCalls {

    private static final int MOST = 64;

    /** How long a caller waits whose call has no limit, as for other asynchronous writes. */
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(30);

    private final Executor executor;

    /** The limit of all calls of one request, for the exception. */
    private final long requestNanos;

    private final Semaphore room;

    /**
     * Prepares calls.
     *
     * @param executor runs those that have a limit, and asynchronous ones; null for threads that are started as they are needed
     * @param requestNanos the limit of all calls of one request; zero if there is none
     */
    TimedCalls(@Nullable Executor executor, long requestNanos) {
        this(executor, requestNanos, MOST);
    }

    TimedCalls(@Nullable Executor executor, long requestNanos, int most) {
        this.executor = executor == null
                ? Executors.newCachedThreadPool(BackgroundThreads.named("ttl-store-rate-limit"))
                : executor;
        this.requestNanos = requestNanos;
        this.room = new Semaphore(most);
    }

    /**
     * Makes a call: in this thread, or in another one if there is a limit.
     *
     * @param nanos how long to wait at most
     * @param effect what nobody knows after that, for the exception; empty if nothing
     * @throws TimeoutException if it takes longer
     */
    <R extends @Nullable Object> R call(Optional<Long> nanos, String effect, Supplier<R> work) {
        if (nanos.isEmpty()) {
            return work.get();
        }
        try {
            return start(nanos, effect, work).join();
        } catch (CompletionException e) {
            throw failure(e.getCause());
        }
    }

    /** Makes a call in another thread. */
    <R extends @Nullable Object> CompletableFuture<R> start(Optional<Long> nanos, String effect, Supplier<R> work) {
        long start = System.nanoTime();
        if (!enter(nanos.orElse(PATIENCE_NANOS))) {
            return CompletableFuture.failedFuture(
                    nanos.isEmpty() ? noRoom() : timedOut(requestNanos - nanos.get() + System.nanoTime() - start, ""));
        }
        CompletableFuture<R> running = new CompletableFuture<>();
        boolean started = false;
        try {
            executor.execute(() -> run(work, running));
            started = true;
        } finally {
            if (!started) {
                room.release();
            }
        }
        if (nanos.isEmpty()) {
            return running;
        }
        long limit = nanos.get();
        return running.orTimeout(Math.max(0, limit - (System.nanoTime() - start)), TimeUnit.NANOSECONDS)
                .handle((answer, failure) -> {
                    if (failure == null) {
                        return answer;
                    }
                    throw new CompletionException(
                            failure instanceof java.util.concurrent.TimeoutException
                                    ? timedOut(requestNanos - limit + System.nanoTime() - start, effect)
                                    : failure);
                });
    }

    /** Waits for room. An interrupt does not end the wait, as for a write of the store. */
    private boolean enter(long nanos) {
        long end = System.nanoTime() + nanos;
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return room.tryAcquire(end - System.nanoTime(), TimeUnit.NANOSECONDS);
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Makes room before the future completes, because what depends on it may make another call. */
    private <R extends @Nullable Object> void run(Supplier<R> work, CompletableFuture<R> running) {
        Runnable completion;
        try {
            completion = running.isDone() ? () -> {} : completion(work, running); // it may be too late
        } finally {
            room.release();
        }
        completion.run();
    }

    private static <R extends @Nullable Object> Runnable completion(Supplier<R> work, CompletableFuture<R> running) {
        try {
            R answer = work.get();
            return () -> running.complete(answer);
        } catch (RuntimeException | Error e) {
            return () -> running.completeExceptionally(e);
        }
    }

    private static RejectedExecutionException noRoom() {
        return new RejectedExecutionException(
                "So many calls of rate limits wait for the store that there was no room for another one for "
                        + TimeUnit.NANOSECONDS.toSeconds(PATIENCE_NANOS)
                        + " s, so nothing was changed. Find what holds up the database");
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
