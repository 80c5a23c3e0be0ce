package dev.ttlstore.engine.support;

import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A thread that runs the same work whenever it is woken, and ends after an idle time. Its loop needs no memory, so it survives a full
 * heap, on which the threads of a pool die: they allocate when they wait. If there is no thread, whoever wakes it starts another one.
 * Thread-safe.
 */
public final class OnDemandThread {

    private static final Logger log = LoggerFactory.getLogger(OnDemandThread.class);

    private static final long IDLE_NANOS = TimeUnit.SECONDS.toNanos(10);

    private static final long RETRY_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    /** Made beforehand, because there may be no memory for it when it is needed. */
    private final String succeeded;

    private final String noThread;
    private final Runnable work;
    private final boolean callerMayWork;
    private final ThreadFactory threads;
    private final RetryLog retries;
    private final AtomicBoolean awake = new AtomicBoolean();
    private volatile @Nullable Thread thread;
    private volatile boolean closed;

    /**
     * Prepares a thread, which starts when it is first woken.
     *
     * @param name the name of the thread
     * @param what what the work handles, for the log
     * @param work the work; run again after a short pause if it throws
     * @param callerMayWork whether the caller that wakes the thread does the work if there is no thread; otherwise it waits for
     *     the next call
     */
    public OnDemandThread(String name, String what, Runnable work, boolean callerMayWork) {
        this(BackgroundThreads.named(name), what, work, callerMayWork);
    }

    OnDemandThread(ThreadFactory threads, String what, Runnable work, boolean callerMayWork) {
        this.threads = threads;
        this.retries = new RetryLog(log, what + " could not be handled now; this is retried");
        this.succeeded = what + " are handled again";
        this.noThread = what + ": no thread could be created";
        this.work = work;
        this.callerMayWork = callerMayWork;
    }

    /** Makes the thread run the work once more. After {@link #close} this thread runs it, if it may. */
    public void wake() {
        boolean before = awake.getAndSet(true);
        if (isAlive()) {
            if (!before) {
                LockSupport.unpark(thread);
            }
        } else if (!start()) {
            withoutThread();
        }
    }

    private boolean isAlive() {
        Thread running = thread;
        return running != null && running.isAlive();
    }

    private synchronized boolean start() {
        if (isAlive()) {
            LockSupport.unpark(thread);
            return true;
        }
        if (closed) {
            return false;
        }
        try {
            Thread started = threads.newThread(this::run);
            started.start();
            thread = started;
            return true;
        } catch (RuntimeException | Error e) {
            SafeLog.warn(log, noThread, e);
            return false;
        }
    }

    private void withoutThread() {
        awake.set(false);
        if (callerMayWork) {
            workUntilDone();
        }
    }

    private void run() {
        long idleSince = System.nanoTime();
        boolean goesOn = true;
        while (goesOn) {
            long idle = System.nanoTime() - idleSince;
            if (awake.getAndSet(false)) { // first: what comes from now on wakes it again
                workUntilDone();
                idleSince = System.nanoTime();
            } else if (closed || idle >= IDLE_NANOS) {
                goesOn = !ends();
            } else {
                LockSupport.parkNanos(this, IDLE_NANOS - idle);
                boolean unused = Thread.interrupted(); // a listener may have left it set, and no thread could park then
            }
        }
    }

    /** Ends the thread, unless it was woken meanwhile. */
    private synchronized boolean ends() {
        thread = null; // before the look: whoever has still seen the thread has woken it before
        if (awake.get()) {
            thread = Thread.currentThread();
            return false;
        }
        return true;
    }

    private void workUntilDone() {
        boolean done = false;
        while (!done) {
            try {
                work.run();
                done = true;
                retries.succeeded(succeeded);
                // Most likely there is no memory. It retries, because nobody else may come to do it.
            } catch (RuntimeException | Error e) {
                retries.failed(e);
                LockSupport.parkNanos(this, RETRY_NANOS);
            }
        }
    }

    /** Ends the thread after its present work. */
    public void close() {
        closed = true;
        LockSupport.unpark(thread);
    }
}
