package dev.ttlstore.internal.base;

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

    /** After so many looks at which nothing waited, nobody looks any more. */
    private static final int QUIET_LOOKS = 50;

    private static final long IDLE_SECONDS = 10;

    private final @Nullable Executor given;
    private final RetryLog refusals =
            new RetryLog(log, "The executor of the futures refuses them; threads of the store complete them instead");
    private final int leastThreads;
    private final int maxThreads;
    private final NodeQueue<Reply<?>> waiting = new NodeQueue<>();
    private final ThreadPoolExecutor pool;

    /** What a thread of the pool does. The pool loses it if it has no memory, but no reply. */
    private final Runnable runAll = this::runAll;

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
     * Completes a step of some work.
     *
     * @param reply where the answer goes
     * @param answer the answer
     * @param onTurn run as soon as the reply no longer waits for a thread of the pool, once or twice; needs no memory
     * @param <R> the type of the answer
     */
    public <R extends @Nullable Object> void complete(Reply<R> reply, R answer, Runnable onTurn) {
        if (reply.set(answer, null, onTurn)) {
            run(reply, onTurn);
        }
    }

    /**
     * Completes a step of some work with a failure.
     *
     * @param reply where the failure goes
     * @param cause the failure
     * @param onTurn as in {@link #complete}
     */
    public void fail(Reply<?> reply, Throwable cause, Runnable onTurn) {
        if (reply.set(null, cause, onTurn)) {
            run(reply, onTurn);
        }
    }

    private void run(Reply<?> reply, Runnable onTurn) {
        if (runsInGiven(reply)) {
            onTurn.run(); // what waits there is the application's
            return;
        }
        waiting.add(reply);
        if (!isThreadThere()) {
            runFirst();
        }
    }

    private boolean runsInGiven(Reply<?> reply) {
        if (given == null) {
            return false;
        }
        try {
            given.execute(reply);
            return true;
        } catch (RuntimeException | Error e) { // a full executor may refuse every other one, so none counts as the end
            refusals.failed(e);
            return false;
        }
    }

    /** Asks the pool for a thread. Returns whether there is one, and somebody who replaces it if it dies. */
    private boolean isThreadThere() {
        try {
            boolean there = isAccepted() || pool.getPoolSize() > 0; // those that are there do as well
            if (isWaitedFor()) {
                watcher.start();
            }
            return there;
        } catch (RuntimeException | Error e) { // nobody watches whether its turn comes
            return false;
        }
    }

    private boolean isAccepted() {
        try {
            pool.execute(runAll);
            return true;
        } catch (RuntimeException | Error e) { // no thread could be created
            return false;
        }
    }

    private void runFirst() {
        Reply<?> first = waiting.poll();
        if (first != null) {
            first.run();
        }
    }

    private void runAll() {
        for (Reply<?> next = waiting.poll(); next != null; next = waiting.poll()) {
            next.run();
        }
    }

    private boolean isWaitedFor() {
        return !waiting.isEmpty();
    }

    private void watchWhileBusy() {
        do {
            Reply<?> last = null;
            for (int quiet = 0; quiet < QUIET_LOOKS && !(closed && quiet > 0); ) {
                LockSupport.parkNanos(this, LOOK_NANOS);
                Reply<?> next = waiting.peek();
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
            if (pool.getQueue().isEmpty()) { // what was there is lost
                pool.execute(runAll);
            }
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
