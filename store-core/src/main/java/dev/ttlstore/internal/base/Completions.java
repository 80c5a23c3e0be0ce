package dev.ttlstore.internal.base;

import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinWorkerThread;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.ttlstore.engine.support.SafeLog;

/**
 * Completes futures in a thread pool. Code that depends on a future is the caller's, and must not run in a thread that
 * commits for others. The pool is our own, because the common pool creates a thread for each task on a machine with
 * two cores. If a task waits for another future, the pool adds a thread, as {@link ForkJoinPool} does.
 *
 * <p>A pool one of whose threads has died of an error, as when there is no memory, may count it for ever and wake no other. So what is
 * to be completed is kept outside the pool, the dying thread completes what is left, and the next completion gets another pool.
 */
public final class Completions {

    private static final Logger log = LoggerFactory.getLogger(Completions.class);

    private static final int IDLE_SECONDS = 10;
    private static final int MAX_THREADS = 1_024;

    /** What no thread has begun. For each there is a task in a pool, unless that pool is broken. */
    private static final Queue<Runnable> WAITING = new ConcurrentLinkedQueue<>();

    private static final AtomicInteger CREATED = new AtomicInteger();

    private static volatile ForkJoinPool pool = newPool();
    private static volatile boolean broken;

    private Completions() {}

    /** Loads this class and prepares the pool, without a thread. Without memory neither could be done later. */
    public static void prepare() {}

    private static ForkJoinPool newPool() {
        return new ForkJoinPool(
                Math.max(2, Runtime.getRuntime().availableProcessors()),
                Worker::createOrNull,
                null,
                true, // in the order in which the writes were committed
                0,
                MAX_THREADS,
                1,
                null,
                IDLE_SECONDS,
                TimeUnit.SECONDS);
    }

    /** A thread of the pool. */
    static final class Worker extends ForkJoinWorkerThread {

        private Worker(ForkJoinPool pool) {
            super(pool);
            setDaemon(true);
            setName("ttl-store-futures-" + CREATED.getAndIncrement());
            setContextClassLoader(
                    ClassLoader.getSystemClassLoader()); // not that of the caller who happens to need a thread
        }

        /** Creates one. Without memory there is none, because an exception would end the thread of the pool that asks for it. */
        @SuppressWarnings("NullAway") // the pool does with the threads that it has
        static ForkJoinWorkerThread createOrNull(ForkJoinPool pool) {
            try {
                return new Worker(pool);
            } catch (OutOfMemoryError e) {
                return null;
            }
        }

        @Override
        protected void onTermination(@Nullable Throwable failure) {
            if (failure != null) {
                broken = true;
                while (!WAITING.isEmpty()) {
                    runNext();
                }
            }
        }
    }

    /**
     * Completes a future.
     *
     * @param future the future
     * @param answer its value
     * @param <R> the type of the answer
     */
    public static <R extends @Nullable Object> void complete(CompletableFuture<R> future, R answer) {
        try {
            WAITING.add(() -> future.complete(answer));
        } catch (Error e) { // no memory; better here than never
            boolean unused = future.complete(answer);
            return;
        }
        runLater();
    }

    /**
     * Completes a future with a failure.
     *
     * @param future the future
     * @param cause the failure
     */
    public static void fail(CompletableFuture<?> future, Throwable cause) {
        try {
            WAITING.add(() -> future.completeExceptionally(cause));
        } catch (Error e) { // as above
            boolean unused = future.completeExceptionally(cause);
            return;
        }
        runLater();
    }

    private static void runLater() {
        try {
            unbroken().execute(Completions::runNext);
        } catch (RuntimeException | Error e) { // no thread available
            runNext();
        }
    }

    /** Returns the pool. If it is broken, another one takes its place, and all that waits. */
    static ForkJoinPool unbroken() {
        return broken ? replaced() : pool;
    }

    private static synchronized ForkJoinPool replaced() {
        if (broken) {
            ForkJoinPool old = pool;
            pool = newPool();
            broken = false;
            old.shutdown(); // ends its threads; what it still runs finds nothing waiting
            for (Runnable unused : WAITING) {
                pool.execute(Completions::runNext);
            }
        }
        return pool;
    }

    /** Completes what has waited longest, if anything waits. */
    private static void runNext() {
        Runnable next = WAITING.poll();
        if (next == null) {
            return;
        }
        try {
            next.run();
        } catch (RuntimeException
                | Error e) { // a future catches what its dependents throw, unless there is no memory for that
            SafeLog.warn(log, "A future of a write could not be completed; this is tried once more", e);
            runAgain(next);
        }
    }

    /** Runs a completion again, which goes on with the dependents that were left out. */
    private static void runAgain(Runnable completion) {
        try {
            completion.run();
        } catch (RuntimeException | Error e) {
            SafeLog.warn(log, "A future of a write could not be completed", e);
        }
    }
}
