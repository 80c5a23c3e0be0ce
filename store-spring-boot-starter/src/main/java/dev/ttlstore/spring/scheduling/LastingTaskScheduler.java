package dev.ttlstore.spring.scheduling;

import java.util.concurrent.RejectedExecutionHandler;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.scheduling.concurrent.ThreadPoolTaskScheduler;

import dev.ttlstore.engine.support.RetryLog;

/**
 * Schedules tasks on daemon threads, and goes on after the heap was full. A thread of a pool allocates when it waits
 * for its next task. If an error ends the thread and no memory is left for another one, the scheduled tasks would
 * never run again. Here the thread that ends waits until another one takes its place.
 *
 * @since 0.1
 * @see dev.ttlstore.spring.purge.StorePurgeJob
 * @see dev.ttlstore.spring.backup.StoreBackupJob
 */
@SuppressWarnings("serial") // nobody serializes a scheduler
public final class LastingTaskScheduler extends ThreadPoolTaskScheduler {

    private static final Logger log = LoggerFactory.getLogger(LastingTaskScheduler.class);

    private static final long RETRY_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final transient @Nullable ClassLoader loader =
            Thread.currentThread().getContextClassLoader();

    private final transient RetryLog retries =
            new RetryLog(log, "A scheduler has lost a thread, most likely for want of memory; it is replaced");

    /**
     * Creates a scheduler, to be initialized by the caller.
     *
     * @param threads the prefix of the names of its threads
     */
    public LastingTaskScheduler(String threads) {
        setThreadNamePrefix(threads);
        setDaemon(true);
    }

    /** Without the thread-locals and the class loader of the caller that happens to need it first, such as its security context. */
    @Override
    @SuppressWarnings("ThreadPriorityCheck") // not that of the caller either
    public Thread createThread(Runnable work) {
        Thread thread = new Thread(getThreadGroup(), work, nextThreadName(), 0, false);
        thread.setPriority(getThreadPriority());
        thread.setDaemon(isDaemon());
        thread.setContextClassLoader(loader);
        return thread;
    }

    @Override
    protected ScheduledExecutorService createExecutor(
            int poolSize, ThreadFactory threads, RejectedExecutionHandler handler) {
        return super.createExecutor(poolSize, work -> threads.newThread(() -> runAndReplace(work)), handler);
    }

    /** Runs what a thread of the pool does, and has the pool start another thread if this one dies. */
    void runAndReplace(Runnable work) {
        try {
            work.run();
        } catch (RuntimeException | Error e) {
            retries.failed(e);
            while (!isReplaced()) {
                LockSupport.parkNanos(this, RETRY_NANOS);
            }
            retries.succeeded("A scheduler has all its threads again");
        }
    }

    private boolean isReplaced() {
        try {
            boolean unused = getScheduledThreadPoolExecutor()
                    .prestartCoreThread(); // false if there is one already, or none is needed
            return true;
        } catch (RuntimeException | Error e) {
            retries.failed(e);
            return false;
        }
    }
}
