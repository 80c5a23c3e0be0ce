package dev.ttlstore.internal.base;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.ttlstore.engine.support.BackgroundThreads;
import dev.ttlstore.engine.support.RetryLog;
import dev.ttlstore.engine.support.SafeLog;
import dev.ttlstore.engine.support.WorkerThread;

/**
 * Completes the futures of one store, in the order in which their writes were committed. Code that depends on a future is the caller's,
 * and must not run in a thread that commits for others. It runs in the executor of the application, or in a pool of the store's own.
 *
 * <p>That pool has as many threads as there are processors. If they make no progress, most likely because the callers' code blocks them,
 * another thread watches that and doubles them, up to a limit. It also replaces threads that have died of an error, as when there is no
 * memory. If there can be no thread at all, the calling thread completes the future.
 */
public final class Completions {

    private static final Logger log = LoggerFactory.getLogger(Completions.class);

    /** The name of each thread of the pool. */
    static final String NAME = "ttl-store-futures";

    /** The most threads of a pool. {@code StoreBuilder.futureExecutor} says it to users. */
    private static final int MAX_THREADS = 1_024;

    /** After this time without progress, threads are added. */
    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    /** The pause before a future that could not be completed is tried again. */
    private static final long RETRY_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    /** After so many looks at which nothing waited, nobody looks any more. */
    private static final int QUIET_LOOKS = 50;

    private static final long IDLE_SECONDS = 10;

    /** Whether the thread completes a future, so that the callers' code runs in it. */
    private static final ThreadLocal<@Nullable Boolean> COMPLETING = new ThreadLocal<>();

    private final @Nullable Executor given;
    private final RetryLog refusals =
            new RetryLog(log, "The executor of the futures refuses them; threads of the store complete them instead");
    private final int leastThreads;
    private final int maxThreads;
    private final ThreadPoolExecutor pool;
    private final WorkerThread watcher;
    private volatile boolean closed;

    /**
     * Prepares the pool, without a thread. Without memory that could not be done later.
     *
     * @param given the executor of the application; null to use the pool alone
     */
    public Completions(@Nullable Executor given) {
        this(
                given,
                BackgroundThreads.named(NAME),
                BackgroundThreads.named(NAME + "-watch"),
                Math.max(2, Runtime.getRuntime().availableProcessors()),
                MAX_THREADS);
    }

    Completions(
            @Nullable Executor given, ThreadFactory threads, ThreadFactory watchers, int leastThreads, int maxThreads) {
        this.given = given;
        this.watcher = new WorkerThread(
                watchers,
                new RetryLog(log, "Nobody watches whether the threads of the futures make progress; this is retried"),
                this::watchWhileBusy);
        this.leastThreads = leastThreads;
        this.maxThreads = Math.max(leastThreads, maxThreads);
        this.pool = new ThreadPoolExecutor(
                leastThreads, this.maxThreads, IDLE_SECONDS, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), threads);
        pool.allowCoreThreadTimeOut(true);
    }

    /**
     * Returns whether this thread completes a future of any store, so that others may wait for it.
     *
     * @return true within code that depends on a future
     */
    public static boolean isCompleting() {
        return Boolean.TRUE.equals(COMPLETING.get());
    }

    /** A future and its outcome, and what to do as soon as it no longer waits for a thread. */
    private record Completion<R extends @Nullable Object>(
            CompletableFuture<R> future,
            @Nullable R answer,
            @Nullable Throwable cause,
            Runnable onTurn) implements Runnable {

        @Override
        public void run() {
            onTurn.run();
            boolean marked = mark();
            try {
                complete();
            } finally {
                if (marked) {
                    COMPLETING.set(Boolean.FALSE);
                }
            }
        }

        /** Marks this thread. Returns false if it is marked already, or if there is no memory for that. */
        private static boolean mark() {
            try {
                if (isCompleting()) {
                    return false;
                }
                COMPLETING.set(Boolean.TRUE);
                return true;
            } catch (OutOfMemoryError e) { // the future must be completed all the same
                return false;
            }
        }

        private void complete() {
            try {
                set(future, answer, cause);
            } catch (RuntimeException
                    | Error e) { // a future catches what its dependents throw, unless there is no memory for that
                SafeLog.warn(log, "A future of a write could not be completed; this is tried once more", e);
                setAgain();
            }
        }

        /** Goes on with the dependents that were left out, and does not give up before the future is completed. */
        private void setAgain() {
            do {
                LockSupport.parkNanos(this, RETRY_NANOS);
                try {
                    set(future, answer, cause);
                } catch (RuntimeException | Error e) {
                    SafeLog.warn(log, "A future of a write could not be completed", e);
                }
            } while (!future.isDone());
        }
    }

    @SuppressWarnings("NullAway") // null is a valid answer if R is nullable
    private static <R extends @Nullable Object> void set(
            CompletableFuture<R> future, @Nullable R answer, @Nullable Throwable cause) {
        boolean unused = cause == null ? future.complete(answer) : future.completeExceptionally(cause);
    }

    /**
     * Completes a future.
     *
     * @param future the future
     * @param answer its value
     * @param onTurn run as soon as the future no longer waits for a thread of the pool, once or twice; needs no memory
     * @param <R> the type of the answer
     */
    public <R extends @Nullable Object> void complete(CompletableFuture<R> future, R answer, Runnable onTurn) {
        setLater(future, answer, null, onTurn);
    }

    /**
     * Completes a future with a failure.
     *
     * @param future the future
     * @param cause the failure
     * @param onTurn as in {@link #complete(CompletableFuture, Object, Runnable)}
     */
    public void fail(CompletableFuture<?> future, Throwable cause, Runnable onTurn) {
        setLater(future, null, cause, onTurn);
    }

    private <R extends @Nullable Object> void setLater(
            CompletableFuture<R> future, @Nullable R answer, @Nullable Throwable cause, Runnable onTurn) {
        Completion<R> completion;
        try {
            completion = new Completion<>(future, answer, cause, onTurn);
        } catch (Error e) { // no memory; better here than never
            onTurn.run();
            set(future, answer, cause);
            return;
        }
        if (runsInGiven(completion)) {
            onTurn.run(); // what waits there is the application's
        } else if (!runsInPool(completion)) {
            completion.run();
        }
    }

    private boolean runsInGiven(Runnable completion) {
        if (given == null) {
            return false;
        }
        try {
            given.execute(completion);
            return true;
        } catch (RuntimeException | Error e) { // a full executor may refuse every other one, so none counts as the end
            refusals.failed(e);
            return false;
        }
    }

    private boolean runsInPool(Runnable completion) {
        try {
            try {
                pool.execute(completion);
            } catch (RuntimeException | Error e) { // no thread could be created; those that are there do as well
                if (pool.getPoolSize() == 0 || !pool.getQueue().offer(completion)) {
                    return false;
                }
            }
            watch();
            return true;
        } catch (RuntimeException | Error e) { // nobody watches whether its turn comes
            return !pool.remove(completion);
        }
    }

    /** Has somebody watch the pool while something waits. */
    private void watch() {
        if (isWaitedFor()) {
            watcher.start();
        }
    }

    private boolean isWaitedFor() {
        return !pool.getQueue().isEmpty();
    }

    private void watchWhileBusy() {
        do {
            Runnable last = null;
            for (int quiet = 0; quiet < QUIET_LOOKS && !(closed && quiet > 0); ) {
                LockSupport.parkNanos(this, LOOK_NANOS);
                Runnable next = pool.getQueue().peek();
                if (next != null && next == last) {
                    addThreads();
                }
                quiet = next == null ? quiet + 1 : 0;
                last = next;
            }
        } while (watcher.goesOn(this::isWaitedFor));
    }

    private void addThreads() {
        try {
            pool.setCorePoolSize(Math.max(leastThreads, Math.min(maxThreads, 2 * pool.getPoolSize())));
            boolean unused = pool.prestartCoreThread(); // if threads have died since
        } catch (RuntimeException | Error e) { // no memory; the next look tries again
            return;
        } finally {
            pool.setCorePoolSize(
                    leastThreads); // or the pool would add one for each future, whether or not others are idle
        }
    }

    /**
     * Ends each thread of the pool as soon as it has nothing to do. Futures that are completed from now on are completed as before, and
     * so are those that wait. Does not wait for the callers' code. The application's executor stays as it is.
     */
    public void close() {
        closed = true;
        pool.setKeepAliveTime(1, TimeUnit.NANOSECONDS); // a pool that is shut down would refuse them
    }
}
