package dev.ttlstore.internal.access;

import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ThreadFactory;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.engine.support.BackgroundThreads;
import dev.ttlstore.engine.support.Deadline;
import dev.ttlstore.engine.support.OnDemandThread;
import dev.ttlstore.exception.StoreClosedException;
import dev.ttlstore.exception.StoreException;
import dev.ttlstore.internal.base.Admission;
import dev.ttlstore.internal.base.BackgroundWork;
import dev.ttlstore.internal.base.Completions;
import dev.ttlstore.internal.base.Reply;

/**
 * Makes the asynchronous bulk writes of a store, one after another, however many wait. Its thread starts when there is
 * a write, and ends after an idle time. Thread-safe.
 */
public final class BulkThread implements BackgroundWork {

    /** The name of the thread. */
    public static final String NAME = "ttl-store-bulk";

    /** What a write takes that waits: its range, with keys of the greatest length, and a future. */
    static final int BYTES_OF_WRITE = 5_000;

    static final long MOST_WAITING = 4 * 1024 * 1024;

    private final Admission admission = new Admission("bulk writes", MOST_WAITING);
    private final Completions completions;
    private final Queue<Write> waiting = new ConcurrentLinkedQueue<>();
    private final OnDemandThread thread;
    private volatile boolean stopped;
    private volatile BooleanSupplier isAwaited = () -> false;

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
        this.thread = new OnDemandThread(threads, "Asynchronous bulk writes", this::runAll, false);
    }

    /**
     * Registers how to find out whether a write may be waiting for the calling thread, as it does for a listener. Such a thread never waits
     * for room.
     *
     * @param isAwaited tests the calling thread
     */
    public void letIn(BooleanSupplier isAwaited) {
        this.isAwaited = isAwaited;
    }

    /**
     * Queues a write.
     *
     * @param work makes the write, and returns how many entries it has changed
     * @return a future with that number; it fails if the work throws, if no thread can be created, if too many wait as {@link
     *     Admission} says, or if the store is closed first
     */
    public CompletableFuture<Long> submit(LongSupplier work) {
        Write write = new Write(work);
        try {
            write.leave = admission.enter(BYTES_OF_WRITE, !isAwaited.getAsBoolean());
        } catch (StoreException e) {
            return CompletableFuture.failedFuture(e);
        }
        waiting.add(write);
        if ((!thread.wake() || stopped) && waiting.remove(write)) { // the one in progress may not end
            write.fail(stopped ? new StoreClosedException() : noThread());
        }
        return write.future;
    }

    private static StoreException noThread() {
        return new StoreException(
                "No thread could be created for an asynchronous bulk write; nothing was written",
                "Free memory, or allow more threads",
                null);
    }

    private void runAll() {
        for (Write next = waiting.poll(); next != null; next = waiting.poll()) {
            if (stopped) {
                next.fail(new StoreClosedException());
            } else {
                next.run();
            }
        }
    }

    /** Lets the waiting writes fail. The one in progress ends when the store is closed. */
    @Override
    public void stop() {
        stopped = true;
        thread.close();
        runAll();
    }

    /** Waits for the write in progress. If it does not end in time, its future fails. */
    @Override
    public void awaitStopped(Deadline deadline) {
        thread.join(deadline);
        Write last = running;
        if (last != null) {
            last.fail(new StoreClosedException());
        }
    }

    private final class Write {
        private final LongSupplier work;
        private final CompletableFuture<Long> future = new CompletableFuture<>();
        private final Reply<Long> reply = Reply.to(future);

        /** Gives back its room. Set before it waits. */
        private Runnable leave = () -> {};

        private Write(LongSupplier work) {
            this.work = work;
        }

        private void run() {
            running = this;
            try {
                completions.complete(reply, work.getAsLong(), leave);
            } catch (Throwable e) { // an Error must reach the waiting caller, too
                fail(e);
            } finally {
                running = null;
            }
        }

        private void fail(Throwable cause) {
            completions.fail(reply, cause, leave);
        }
    }
}
