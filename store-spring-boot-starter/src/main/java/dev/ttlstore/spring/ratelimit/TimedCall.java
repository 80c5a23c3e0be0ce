package dev.ttlstore.spring.ratelimit;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

/**
 * A call that either begins or is given up, and whose result may come too late. Thread-safe.
 *
 * @param <R> the result
 */
final class TimedCall<R extends @Nullable Object> {

    private final Supplier<R> work;

    /** Completes when the call begins; fails if it is given up before. */
    private final CompletableFuture<Boolean> begun = new CompletableFuture<>();

    private final CompletableFuture<R> result = new CompletableFuture<>();

    TimedCall(Supplier<R> work) {
        this.work = work;
    }

    CompletableFuture<R> result() {
        return result;
    }

    /** Sets how long the call may take, with the time that it waits before it begins. */
    void endIn(long nanos, Function<Boolean, RuntimeException> failure) {
        CompletableFuture<R> end = new CompletableFuture<>();
        CompletableFuture<?> unused = result.whenComplete((answer, problem) -> end.complete(answer)); // ends the timer
        unused = end.orTimeout(Math.max(0, nanos), TimeUnit.NANOSECONDS).whenComplete((answer, problem) -> {
            if (problem instanceof TimeoutException) {
                boolean hasBegun = !begun.completeExceptionally(problem);
                result.completeExceptionally(failure.apply(hasBegun));
            }
        });
    }

    /** Sets how long the call may wait before it begins. */
    void beginIn(long nanos, Supplier<RuntimeException> failure) {
        CompletableFuture<?> unused = begun.orTimeout(nanos, TimeUnit.NANOSECONDS)
                .whenComplete((yes, problem) -> {
                    if (problem != null) {
                        result.completeExceptionally(failure.get());
                    }
                });
    }

    /** Calls back if the call is given up before it begins. */
    void whenGivenUp(Runnable callback) {
        CompletableFuture<?> unused = begun.exceptionally(problem -> {
            callback.run();
            return false;
        });
    }

    /** Fails because no thread makes the call. */
    void refuse(Throwable refusal) {
        if (begun.complete(false)) {
            result.completeExceptionally(refusal);
        }
    }

    /**
     * Makes the call, unless it was given up.
     *
     * @return what completes the result
     */
    Runnable make() {
        if (!begun.complete(true)) {
            return () -> {};
        }
        try {
            R answer = work.get();
            return () -> result.complete(answer);
        } catch (RuntimeException | Error e) {
            return () -> result.completeExceptionally(e);
        }
    }
}
