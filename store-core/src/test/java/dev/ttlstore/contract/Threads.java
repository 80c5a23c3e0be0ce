package dev.ttlstore.contract;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import org.jspecify.annotations.Nullable;

/** Work that many threads do at once. */
public final class Threads {

    private static final long PATIENCE_SECONDS = 60;

    private Threads() {}

    /** Work that is told which of the threads it is in, from 0 on. */
    @FunctionalInterface
    public interface Work<T> {

        /** Does the work. */
        T run(int thread) throws Exception;
    }

    /** Has threads begin together, waits for all of them, and returns their answers in order. */
    public static <T> List<T> together(int threads, Work<T> work) {
        ExecutorService executor = Executors.newFixedThreadPool(threads);
        try {
            CyclicBarrier start = new CyclicBarrier(threads);
            List<Future<T>> futures = new ArrayList<>();
            for (int i = 0; i < threads; i++) {
                int thread = i;
                futures.add(executor.submit(() -> {
                    await(start);
                    return work.run(thread);
                }));
            }
            List<T> answers = new ArrayList<>();
            for (Future<T> future : futures) {
                answers.add(get(future));
            }
            return answers;
        } finally {
            executor.shutdownNow();
        }
    }

    /** Starts work in a thread of its own. */
    public static <T> Future<T> start(Work<T> work) {
        ExecutorService executor = Executors.newSingleThreadExecutor();
        try {
            return executor.submit(() -> work.run(0));
        } finally {
            executor.shutdown();
        }
    }

    /** Waits for an answer, and throws what was thrown in its place. */
    public static <T extends @Nullable Object> T get(Future<T> future) {
        try {
            return future.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RuntimeException failure) {
                throw failure;
            }
            throw new AssertionError("A thread has failed", e.getCause());
        } catch (InterruptedException | TimeoutException e) {
            throw new AssertionError("A thread has not come to its end", e);
        }
    }

    /** Waits at a latch. */
    public static void await(CountDownLatch latch) {
        try {
            if (!latch.await(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                throw new AssertionError("A latch has not been opened");
            }
        } catch (InterruptedException e) {
            throw new AssertionError("Interrupted before a latch", e);
        }
    }

    /** Whether a thread waits for something, be it for a time only. */
    public static boolean isWaiting(Thread thread) {
        return thread.getState() == Thread.State.WAITING || thread.getState() == Thread.State.TIMED_WAITING;
    }

    private static void await(CyclicBarrier barrier) throws InterruptedException, TimeoutException {
        try {
            barrier.await(PATIENCE_SECONDS, TimeUnit.SECONDS);
        } catch (BrokenBarrierException e) {
            throw new IllegalStateException("Another thread did not come to the start", e);
        }
    }
}
