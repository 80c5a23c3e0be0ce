package dev.ttlstore.internal.access;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.engine.support.BackgroundThreads;
import dev.ttlstore.exception.StoreClosedException;
import dev.ttlstore.internal.base.BackgroundWork;
import dev.ttlstore.internal.base.Completions;
import dev.ttlstore.internal.base.Deadline;

/**
 * Makes the asynchronous bulk writes of a store, one after another, however many wait. Its thread starts when there is
 * a write, and ends after an idle time. Thread-safe.
 */
public final class BulkThread implements BackgroundWork {

    /** The name of the thread. */
    public static final String NAME = "ttl-store-bulk";

    private static final long IDLE_SECONDS = 10;

    private final Completions completions;
    private final ThreadPoolExecutor executor;

    /** The write in progress; null if there is none. */
    private volatile @Nullable Write running;

    /**
     * Creates one without a write.
     *
     * @param completions completes the futures
     */
    public BulkThread(Completions completions) {
        this(completions, BackgroundThreads.named(NAME));
    }

    BulkThread(Completions completions, ThreadFactory threads) {
        this.completions = completions;
        this.executor =
                new ThreadPoolExecutor(1, 1, IDLE_SECONDS, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), threads);
        executor.allowCoreThreadTimeOut(true);
    }

    /**
     * Queues a write.
     *
     * @param work makes the write, and returns how many entries it has changed
     * @return a future with that number; it fails if the work throws, if no thread can be created, or if the store is
     *     closed first
     */
    public CompletableFuture<Long> submit(LongSupplier work) {
        Write write = new Write(work);
        try {
            executor.execute(write);
        } catch (RejectedExecutionException e) {
            write.fail(new StoreClosedException());
        } catch (RuntimeException | Error e) { // no memory for a thread
            boolean unused = executor.remove(write);
            write.fail(e);
        }
        return write.future;
    }

    /** Lets the waiting writes fail. The one in progress ends when the store is closed. */
    @Override
    public void stop() {
        executor.shutdown();
        List<Runnable> waiting = new ArrayList<>();
        executor.getQueue().drainTo(waiting);
        waiting.forEach(write -> ((Write) write).fail(new StoreClosedException()));
    }

    /** Waits for the write in progress. If it does not end in time, its future fails. */
    @Override
    public void awaitStopped(Deadline deadline) {
        boolean ended = deadline.awaitEnd(executor);
        Write last = running;
        if (!ended && last != null) {
            last.fail(new StoreClosedException());
        }
    }

    private final class Write implements Runnable {
        private final LongSupplier work;
        private final CompletableFuture<Long> future = new CompletableFuture<>();

        private Write(LongSupplier work) {
            this.work = work;
        }

        @Override
        public void run() {
            running = this;
            try {
                completions.complete(future, work.getAsLong());
            } catch (Throwable e) { // an Error must reach whoever waits, too
                fail(e);
            } finally {
                running = null;
            }
        }

        private void fail(Throwable cause) {
            completions.fail(future, cause);
        }
    }
}
