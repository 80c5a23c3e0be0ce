package dev.ttlstore.engine.support;

import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A thread that runs the same work whenever it is woken, and ends after an idle time. If there is no thread, the call that wakes it
 * starts another one. It survives a full heap, as {@link WorkerThread} does. Thread-safe.
 *
 * @since 0.1
 */
public final class OnDemandThread {

    private static final Logger log = LoggerFactory.getLogger(OnDemandThread.class);

    private static final long IDLE_NANOS = TimeUnit.SECONDS.toNanos(10);

    private static final long RETRY_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    /** Made beforehand, because there may be no memory for it when it is needed. */
    private final String succeeded;

    private final Runnable work;
    private final boolean callerMayWork;
    private final RetryLog retries;
    private final WorkerThread thread;
    private final AtomicBoolean awake = new AtomicBoolean();
    private final BooleanSupplier isAwake = awake::get;
    private volatile long idleNanos = IDLE_NANOS;

    /**
     * Prepares a thread, which starts when it is first woken.
     *
     * @param threads creates the thread
     * @param what what the work handles, for the log
     * @param work the work; run again after a short pause if it throws
     * @param callerMayWork whether the caller that wakes the thread does the work if there is no thread; otherwise it waits for
     *     the next call
     */
    public OnDemandThread(ThreadFactory threads, String what, Runnable work, boolean callerMayWork) {
        this.retries = new RetryLog(log, what + " could not be handled now; this is retried");
        this.succeeded = what + " are handled again";
        this.work = work;
        this.callerMayWork = callerMayWork;
        this.thread = new WorkerThread(threads, retries, RETRY_NANOS, this::loop);
    }

    /**
     * Makes the thread run the work once more. If there is no thread, or after {@link #close}, the caller runs it, if it may.
     *
     * @return false if nobody runs the work before the next call, because no thread could be created, or it was closed
     */
    public boolean wake() {
        if (!awake.getAndSet(true)) {
            thread.wake();
        }
        boolean isLeftToThread = !callerMayWork || !thread.isStopped(); // what a closed one still does may never end
        if (isLeftToThread && thread.ensureRunning() && thread.isRunning()) { // it may be closed, but still run
            return true;
        }
        if (callerMayWork) {
            workUntilDone();
        }
        return callerMayWork;
    }

    private void loop() {
        long idleSince = System.nanoTime();
        boolean goesOn = true;
        while (goesOn) {
            long idle = System.nanoTime() - idleSince;
            if (awake.getAndSet(false)) { // first: what comes from now on wakes it again
                workUntilDone();
                idleSince = System.nanoTime();
            } else if (thread.isStopped() || idle >= idleNanos) {
                goesOn = thread.goesOn(isAwake);
            } else {
                thread.sleep(idleNanos - idle);
            }
        }
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

    /** From now on, the thread ends whenever it has nothing to do. It still starts when it is woken. Returns at once. */
    public void endWhenIdle() {
        idleNanos = 0;
        thread.wake();
    }

    /** Ends the thread after its present work. Returns at once. */
    public void close() {
        thread.stop();
    }

    /** Interrupts the present work. */
    public void interrupt() {
        thread.interrupt();
    }

    /**
     * Waits until the thread has ended; returns at once if the thread itself calls this. An interrupt does not end the wait.
     *
     * @param deadline how long at most
     */
    public void join(Deadline deadline) {
        thread.join(deadline);
    }

    /** Ends the thread, and waits for its present work. An interrupt does not end the wait, and the caller's interrupt status stays set. */
    public void closeAndJoin() {
        close();
        join(Deadline.none());
    }
}
