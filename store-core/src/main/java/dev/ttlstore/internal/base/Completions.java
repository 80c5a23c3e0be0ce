package dev.ttlstore.internal.base;

import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.ttlstore.engine.support.BackgroundThreads;
import dev.ttlstore.engine.support.OnDemandThread;
import dev.ttlstore.engine.support.RetryLog;
import dev.ttlstore.engine.support.WorkerThread;
import dev.ttlstore.exception.StoreClosedException;

/**
 * Completes the futures of one store, in the order in which their writes were committed. Code that depends on a future is the caller's,
 * and must not run in a thread that commits for others. It runs in the executor of the application, or in threads of the store's own.
 *
 * <p>Of those there are as many as processors. If they make no progress, most likely because the callers' code blocks them, another
 * thread watches that and doubles them, up to a limit. It also wakes those that have died. If there can be no thread at all, the calling
 * thread completes the future. A {@code ThreadPoolExecutor} would do all this but for a full heap: its threads die there, and it may go
 * on counting them.
 */
public final class Completions {

    private static final Logger log = LoggerFactory.getLogger(Completions.class);

    /** The name of each thread. */
    static final String NAME = "ttl-store-futures";

    /** The most threads. {@code StoreBuilder.futureExecutor} says it to users. */
    private static final int MAX_THREADS = 1_024;

    /** After this time without progress, threads are added. */
    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    /** After so many looks at which nothing waited, nobody looks any more. */
    private static final int QUIET_LOOKS = 50;

    private final @Nullable Executor given;
    private final RetryLog refusals =
            new RetryLog(log, "The executor of the futures refuses them; threads of the store complete them instead");
    private final ThreadFactory threads;
    private final int maxThreads;
    private final NodeQueue<Reply<?>> waiting = new NodeQueue<>();

    /** Those who have ever been needed at the same time. Replaced by the watcher alone. */
    private volatile Worker[] workers;

    private final WorkerThread watcher;

    /** The futures for which callers' code computes something now. */
    private final Set<CompletableFuture<?>> computed = ConcurrentHashMap.newKeySet();

    /** Whether nothing can be written any more, so that such code is not run. */
    private volatile boolean closed;

    /**
     * Prepares the threads, without starting one. Without memory that could not be done later.
     *
     * @param given the executor of the application; null to use threads of the store's own alone
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
        Reply.prepare();
        this.given = given;
        this.threads = threads;
        this.maxThreads = maxThreads;
        this.workers = more(new Worker[0], given == null ? leastThreads : 1); // one passes them on in their order
        this.watcher = new WorkerThread(
                watchers,
                new RetryLog(log, "Nobody watches whether the threads of the futures make progress; this is retried"),
                this::watchWhileBusy);
    }

    private Worker[] more(Worker[] present, int count) {
        Worker[] all = Arrays.copyOf(present, count);
        for (int i = present.length; i < count; i++) {
            all[i] = new Worker();
        }
        return all;
    }

    /** A thread that completes whatever waits. */
    private final class Worker {
        private final OnDemandThread thread = new OnDemandThread(threads, "Futures", this::runAll, false);
        private volatile boolean busy;

        private void runAll() {
            do {
                busy = true;
                try {
                    for (Reply<?> next = waiting.poll(); next != null; next = waiting.poll()) {
                        runOrKeep(next);
                    }
                } finally {
                    busy = false;
                }
            } while (!waiting.isEmpty()); // a caller that has added something meanwhile may have seen that this is busy
        }
    }

    private void runOrKeep(Reply<?> reply) {
        boolean done = false;
        try {
            if (runsInGiven(reply)) {
                reply.leave(); // what waits there is the application's
            } else {
                reply.run();
            }
            done = true;
        } finally {
            if (!done) { // there was no memory to begin
                waiting.add(reply);
            }
        }
    }

    /**
     * Completes a step of some work.
     *
     * @param reply where the answer goes
     * @param answer the answer
     * @param onTurn run as soon as the reply no longer waits for a thread of the store's own, once or twice; needs no memory
     * @param <R> the type of the answer
     */
    public <R extends @Nullable Object> void complete(Reply<R> reply, R answer, Runnable onTurn) {
        if (reply.set(answer, null, onTurn)) {
            run(reply);
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
            run(reply);
        }
    }

    /**
     * A thread of the store's own runs the reply, or gives it to the application's executor. That may take the context of the thread that
     * calls it along, such as its security context, and may block.
     */
    private void run(Reply<?> reply) {
        waiting.add(reply);
        if (!isSeenTo()) {
            Reply<?> first = waiting.poll();
            if (first != null) {
                runOrKeep(first);
            }
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

    /** Has somebody complete what waits. Returns whether there is a thread, and another one that replaces it if it dies. */
    private boolean isSeenTo() {
        boolean there = false;
        for (Worker worker : workers) {
            if (worker.busy) {
                there = true; // looks again when it is done
            } else if (worker.thread.wake()) {
                there = true;
                break;
            }
        }
        return there && (waiting.isEmpty() || watcher.ensureRunning());
    }

    private void watchWhileBusy() {
        do {
            Reply<?> last = null;
            for (int quiet = 0; quiet < QUIET_LOOKS && !(closed && quiet > 0); ) {
                LockSupport.parkNanos(this, LOOK_NANOS);
                Reply<?> next = waiting.peek();
                if (next != null && next == last) {
                    wakeMore();
                }
                quiet = next == null ? quiet + 1 : 0;
                last = next;
            }
        } while (watcher.goesOn(() -> !waiting.isEmpty()));
    }

    /** Wakes as many as are busy, and those that have died while they were. */
    private void wakeMore() {
        int more = 1;
        for (Worker worker : workers) {
            if (worker.busy) {
                more++;
                boolean unused = worker.thread.wake();
            }
        }
        for (Worker worker : workers) {
            if (!worker.busy && more > 0) {
                more--;
                boolean unused = worker.thread.wake();
            }
        }
        int present = workers.length;
        if (more > 0 && present < maxThreads) {
            workers = more(workers, Math.min(maxThreads, 2 * present));
            if (closed) {
                endWhenIdle();
            }
        }
    }

    /**
     * Runs callers' code that computes what a write puts. If it has not returned when the store is closed, the future of the write fails:
     * nothing can be written any more, and the code may never return.
     *
     * @param future the future of the write
     * @param code the code
     * @return what it returns
     * @param <A> the type of the answer
     */
    @SuppressWarnings("CollectionUndefinedEquality") // each future is equal to itself alone
    public <A> A compute(CompletableFuture<?> future, Supplier<A> code) {
        boolean unused = computed.add(future); // first, so that either this or the closing thread sees the other
        try {
            if (closed) {
                throw new StoreClosedException();
            }
            return code.get();
        } finally {
            boolean unusedToo = computed.remove(future);
        }
    }

    /**
     * Ends each thread as soon as it has nothing to do. Futures that are completed from now on are completed as before, and so are those
     * that wait. Does not wait for the callers' code. The application's executor stays as it is. Called when nothing can be written any
     * more.
     */
    public void close() {
        closed = true;
        for (CompletableFuture<?> future : computed) {
            fail(new Reply<>(future, answer -> {}), new StoreClosedException(), () -> {});
        }
        endWhenIdle();
    }

    private void endWhenIdle() {
        for (Worker worker : workers) {
            worker.thread.endWhenIdle();
        }
    }
}
