package dev.ttlstore.spring.ratelimit;

import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.engine.support.BackgroundThreads;

import io.github.bucket4j.TimeoutException;

/**
 * Calls of the store that end in time for their callers. The store may wait for longer, for a connection or for the database, so such a
 * call runs in another thread. A few run at once and others wait in a line, without a thread and without holding up their caller, which
 * may be an event loop. The line is short enough for the heap. A call that has not begun in time never does. Thread-safe.
 */
final class TimedCalls {

    /** How many run at once. */
    private static final int MOST = 64;

    /** How many wait at most, each with a bucket of some hundred bytes. */
    private static final int LONGEST_LINE = 10_000;

    /** How long a call without a limit waits in the line, as other asynchronous writes do. */
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(30);

    private final Executor executor;

    /** The limit of all calls of one request, for the exception. */
    private final long requestNanos;

    private final int longestLine;

    /** How many more may run. Guarded by {@link #line}. */
    private int free;

    /** Those that wait, in their order. Guarded by itself. */
    private final Set<TimedCall<?>> line = new LinkedHashSet<>();

    /**
     * Prepares calls.
     *
     * @param executor runs those that have a limit, and asynchronous ones; null for threads that are started as they are needed
     * @param requestNanos the limit of all calls of one request; zero if there is none
     */
    TimedCalls(@Nullable Executor executor, long requestNanos) {
        this(executor, requestNanos, MOST, LONGEST_LINE);
    }

    TimedCalls(@Nullable Executor executor, long requestNanos, int most, int longestLine) {
        this.executor = executor == null
                ? Executors.newCachedThreadPool(BackgroundThreads.named("ttl-store-rate-limit"))
                : executor;
        this.requestNanos = requestNanos;
        this.free = most;
        this.longestLine = longestLine;
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

    /** Makes a call in another thread. Does not wait. */
    <R extends @Nullable Object> CompletableFuture<R> start(Optional<Long> nanos, String effect, Supplier<R> work) {
        long start = System.nanoTime();
        TimedCall<R> call = new TimedCall<>(work);
        Place place = enter(call);
        if (place == Place.NONE) {
            return CompletableFuture.failedFuture(noRoom("at most " + longestLine + " may wait"));
        }
        nanos.ifPresentOrElse(
                limit -> call.endIn(limit, begun -> timedOut(start, limit, begun ? effect : "")),
                () -> call.beginIn(
                        PATIENCE_NANOS,
                        () -> noRoom(
                                "this one has waited for " + TimeUnit.NANOSECONDS.toSeconds(PATIENCE_NANOS) + " s")));
        if (place == Place.FREE) {
            run(call);
        } else {
            call.whenGivenUp(() -> leave(call));
        }
        return call.result();
    }

    /** Where a call begins. */
    private enum Place {
        FREE,
        IN_LINE,
        NONE
    }

    private Place enter(TimedCall<?> call) {
        synchronized (line) {
            if (free > 0) {
                free--;
                return Place.FREE;
            }
            return line.size() < longestLine && line.add(call) ? Place.IN_LINE : Place.NONE;
        }
    }

    private void leave(TimedCall<?> call) {
        synchronized (line) {
            line.remove(call);
        }
    }

    /** Returns the first in the line; null if there is none, and then one more may run. */
    private @Nullable TimedCall<?> next() {
        synchronized (line) {
            if (line.isEmpty()) {
                free++;
                return null;
            }
            TimedCall<?> first = line.iterator().next();
            line.remove(first);
            return first;
        }
    }

    private void run(TimedCall<?> first) {
        try {
            executor.execute(() -> runAll(first));
        } catch (RuntimeException | Error e) {
            for (TimedCall<?> call = first; call != null; call = next()) {
                call.refuse(e); // and those in the line, for which no thread may come either
            }
        }
    }

    /** Makes room before a future completes, because what depends on it may make another call, and wait for that. */
    private void runAll(TimedCall<?> first) {
        Runnable completion = first.make();
        for (TimedCall<?> call = next(); call != null; call = next()) {
            complete(completion);
            completion = call.make();
        }
        completion.run();
    }

    /** Completes a future in another thread, so that its dependents do not hold up the line. */
    private void complete(Runnable completion) {
        try {
            executor.execute(completion);
        } catch (RuntimeException | Error e) { // no thread; the line must go on
            completion.run();
        }
    }

    private static RejectedExecutionException noRoom(String reason) {
        return new RejectedExecutionException(
                "So many calls of rate limits wait for the store that nothing was changed: " + reason
                        + ". Find what holds up the database");
    }

    private TimeoutException timedOut(long start, long limit, String effect) {
        long elapsed = requestNanos - limit + System.nanoTime() - start;
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
