package dev.ttlstore.spring.lock;

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

import org.jspecify.annotations.Nullable;

import static org.awaitility.Awaitility.await;

/** A thread that runs what a test gives it, one after the other, because locks belong to threads. */
final class LockThread implements AutoCloseable {

    private final BlockingQueue<Runnable> work = new LinkedBlockingQueue<>();
    private final Thread thread = new Thread(this::run, "lock-test");

    LockThread() {
        thread.setDaemon(true);
        thread.start();
    }

    private void run() {
        try {
            while (true) {
                work.take().run();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Begins to run something, whose interrupt, if any, ends with it. */
    <T extends @Nullable Object> CompletableFuture<T> begin(Callable<T> call) {
        CompletableFuture<T> result = new CompletableFuture<>();
        work.add(() -> {
            try {
                result.complete(call.call());
            } catch (Throwable e) {
                result.completeExceptionally(e);
            } finally {
                boolean unused = Thread.interrupted();
            }
        });
        return result;
    }

    /** Runs something and waits for it. */
    <T extends @Nullable Object> T call(Callable<T> call) throws Exception {
        return begin(call).get(60, TimeUnit.SECONDS);
    }

    void run(Runnable runnable) throws Exception {
        boolean unused = call(() -> {
            runnable.run();
            return true;
        });
    }

    void interrupt() {
        thread.interrupt();
    }

    /** Waits until the thread waits for a lock of its instance, or of another one. */
    void awaitWaiting() {
        await().until(() ->
                thread.getState() == Thread.State.WAITING || thread.getState() == Thread.State.TIMED_WAITING);
    }

    @Override
    public void close() {
        thread.interrupt();
    }
}
