package dev.ttlstore.spring.cache;

import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

/** A load by one caller, for whose result others wait. */
final class Load {

    /** How often a caller that waits for a load looks whether the store is still open. */
    private static final long LOOK_MILLIS = 100;

    private final CompletableFuture<Object> result = new CompletableFuture<>();
    private final ReentrantLock storing = new ReentrantLock();

    /** The thread whose loader must not ask for the same key; null if the loader does not wait. */
    private final @Nullable Thread loader;

    /** Whether what it loads is out of date. Guarded by the lock. */
    private boolean isOvertaken;

    Load(@Nullable Thread loader) {
        this.loader = loader;
    }

    /** Returns what was loaded, once it is. */
    CompletableFuture<Object> result() {
        return result;
    }

    void succeed(Object value) {
        boolean unused = result.complete(value);
    }

    void fail(Throwable failure) {
        boolean unused = result.completeExceptionally(failure);
    }

    /**
     * Stores what was loaded, unless that is out of date.
     *
     * @param putIfAbsent stores it; returns what was there before
     * @return what was there before; null if nothing was, or nothing is stored
     */
    @Nullable
    Object store(Supplier<@Nullable Object> putIfAbsent) {
        storing.lock();
        try {
            return isOvertaken ? null : putIfAbsent.get();
        } finally {
            storing.unlock();
        }
    }

    /** Returns after what it has loaded is stored, so that it can be deleted, or never will be. */
    void overtake() {
        storing.lock();
        try {
            isOvertaken = true;
        } finally {
            storing.unlock();
        }
    }

    /**
     * Waits for what is loaded; null if the load fails.
     *
     * @param requireOpen throws if the store is closed: a loader may never return
     */
    @Nullable
    Object await(Runnable requireOpen) {
        if (loader == Thread.currentThread()) {
            throw new IllegalStateException("The value of a key of a cache cannot be loaded by way of the same key");
        }
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return result.get(LOOK_MILLIS, TimeUnit.MILLISECONDS);
                } catch (TimeoutException e) {
                    requireOpen.run();
                } catch (InterruptedException e) {
                    interrupted = true; // another caller runs the loader, so the interrupt does not end the wait
                }
            }
        } catch (ExecutionException | CancellationException e) {
            return null;
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
