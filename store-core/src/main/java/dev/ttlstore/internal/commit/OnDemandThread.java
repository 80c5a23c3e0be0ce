package dev.ttlstore.internal.commit;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.ttlstore.engine.support.BackgroundThreads;
import dev.ttlstore.internal.base.SafeLog;

/** A thread that runs the same work whenever it is woken. It ends after an idle time. */
final class OnDemandThread {

    private static final Logger log = LoggerFactory.getLogger(OnDemandThread.class);

    private static final long IDLE_SECONDS = 10;

    private static final long RETRY_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private final String what;
    private final Runnable work;
    private final boolean callerMayWork;
    private final AtomicBoolean awake = new AtomicBoolean();
    private final ExecutorService executor;

    /**
     * Prepares a thread, which starts when it is first woken.
     *
     * @param name the name of the thread
     * @param what what the work handles, for the log
     * @param work the work
     * @param callerMayWork whether the caller that wakes the thread does the work if there is no thread; otherwise it waits for
     *     the next call
     */
    OnDemandThread(String name, String what, Runnable work, boolean callerMayWork) {
        this.what = what;
        this.work = work;
        this.callerMayWork = callerMayWork;
        ThreadPoolExecutor pool = new ThreadPoolExecutor(
                1, 1, IDLE_SECONDS, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), BackgroundThreads.named(name));
        pool.allowCoreThreadTimeOut(true);
        this.executor = pool;
    }

    /** Makes the thread run the work once more. */
    void wake() {
        if (awake.compareAndSet(false, true)) {
            try {
                executor.execute(this::run);
            } catch (RejectedExecutionException e) {
                withoutThread(); // closed: the work finds out that the store is closed
            } catch (RuntimeException | Error e) {
                SafeLog.warn(log, what + ": no thread could be created", e);
                withoutThread();
            }
        }
    }

    private void withoutThread() {
        if (callerMayWork) {
            run();
        } else {
            awake.set(false);
        }
    }

    private void run() {
        awake.set(false); // first, so that tasks queued from now on wake it again
        boolean done = false;
        while (!done) {
            try {
                work.run();
                done = true;
                // Most likely there is no memory. It retries, because nobody else may come to commit.
            } catch (RuntimeException | Error e) {
                SafeLog.warn(log, what + " could not be handled now; this is retried", e);
                LockSupport.parkNanos(this, RETRY_NANOS);
            }
        }
    }

    void close() {
        executor.shutdown();
    }
}
