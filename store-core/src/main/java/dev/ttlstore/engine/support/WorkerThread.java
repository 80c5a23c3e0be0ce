package dev.ttlstore.engine.support;

import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

import org.jspecify.annotations.Nullable;

/**
 * A thread that runs a loop until it is stopped, and that is started again if it is gone. If the loop throws anything, most likely
 * because memory is exhausted, it begins again after a pause. If no thread can be created, the next caller tries again. The thread
 * itself needs no memory, so it survives a full heap. The threads of a pool would die, because they allocate when they wait.
 *
 * <p>A wake-up is never lost: one that comes before the loop sleeps ends its next sleep. Thread-safe.
 *
 * @since 0.1
 */
public final class WorkerThread {

    private static final long RETRY_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** The longest pause after an error of a loop that was stopped, because a closing store waits for it. */
    private static final long ENDING_RETRY_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

    private final ThreadFactory threads;
    private final RetryLog retries;
    private final long retryNanos;
    private final Runnable loop;

    /** Changed under the lock of this. */
    private volatile @Nullable Thread thread;

    /** Whether the loop is finding out if it may end. */
    private volatile boolean ending;

    private volatile boolean woken;
    private volatile boolean stopped;

    /**
     * Prepares a thread, which is not started yet. After an error the loop begins again within a second.
     *
     * @param threads creates the thread
     * @param retries logs errors of the loop, unless it was stopped, and that no thread could be created
     * @param loop returns when {@link #isStopped} says so, or when {@link #goesOn} returns false
     */
    public WorkerThread(ThreadFactory threads, RetryLog retries, Runnable loop) {
        this(threads, retries, RETRY_NANOS, loop);
    }

    /**
     * Prepares a thread, which is not started yet.
     *
     * @param threads creates the thread
     * @param retries logs errors of the loop, unless it was stopped, and that no thread could be created
     * @param retryNanos the pause between an error and the next run of the loop
     * @param loop returns when {@link #isStopped} says so, or when {@link #goesOn} returns false
     */
    public WorkerThread(ThreadFactory threads, RetryLog retries, long retryNanos, Runnable loop) {
        this.threads = threads;
        this.retries = retries;
        this.retryNanos = retryNanos;
        this.loop = loop;
    }

    /**
     * Starts the thread, unless it runs or was stopped.
     *
     * @throws OutOfMemoryError if no thread can be created; a later call tries again
     */
    public void start() {
        if (ending || !isRunning()) {
            startUnlessRunning();
        }
    }

    private synchronized void startUnlessRunning() {
        if (!isRunning() && !stopped) {
            Thread started = threads.newThread(this::run);
            started.start();
            thread = started;
            if (woken) { // perhaps while it slept already, but was not known yet
                LockSupport.unpark(started);
            }
        }
    }

    /**
     * Starts the thread, unless it runs or was stopped. Never throws: that no thread can be created is logged.
     *
     * @return whether it runs now, or was stopped
     */
    public boolean ensureRunning() {
        try {
            start();
        } catch (RuntimeException | Error e) {
            retries.failed(e);
        }
        return stopped || isRunning();
    }

    /**
     * Tests whether the thread runs.
     *
     * @return false if it was not started, has ended, or has died
     */
    public boolean isRunning() {
        Thread running = thread;
        return running != null && running.isAlive();
    }

    /**
     * Tests whether the thread was stopped.
     *
     * @return true after {@link #stop}
     */
    public boolean isStopped() {
        return stopped;
    }

    /** Ends the present sleep of the loop, or else its next one. Called after a change of what the loop looks at. */
    public void wake() {
        woken = true;
        LockSupport.unpark(thread);
    }

    /**
     * Sleeps for some time, or less. Called by the loop. Clears the interrupt status, which a listener may have left set, because no
     * thread could sleep with it.
     *
     * @param nanos how long at most
     */
    public void sleep(long nanos) {
        if (!woken) {
            LockSupport.parkNanos(this, nanos);
        }
        woken = false;
        boolean unused = Thread.interrupted();
    }

    /**
     * Sleeps for the whole time, although somebody may wake the thread meanwhile, unless it is stopped. Called by the loop.
     *
     * @param nanos how long
     */
    public void pause(long nanos) {
        long end = System.nanoTime() + nanos;
        long left = nanos;
        while (left > 0 && !stopped) { // first: an earlier sleep may have used up the wake-up of the stop
            sleep(left);
            left = end - System.nanoTime();
        }
    }

    /**
     * Tests whether the loop goes on; if not, it has to return. Called by a loop that ends when there is nothing to do. Callers add their
     * work first and start the thread afterwards. So either this method sees the work, or another thread starts.
     *
     * @param needed whether there is something to do
     * @return what {@code needed} returns
     */
    public synchronized boolean goesOn(BooleanSupplier needed) {
        ending = true; // first: a caller that has not seen it yet has already added its work
        try {
            boolean goesOn = needed.getAsBoolean();
            if (!goesOn) {
                thread = null;
            }
            return goesOn;
        } finally {
            ending = false;
        }
    }

    /** Asks the loop to end, and wakes it. The thread does not start any more. Returns at once. */
    public void stop() {
        synchronized (this) {
            stopped = true;
        }
        wake();
    }

    /** Interrupts what the loop does. */
    public void interrupt() {
        Thread running = thread;
        if (running != null) {
            running.interrupt();
        }
    }

    /**
     * Waits until the thread has ended; returns at once if the thread itself calls this. An interrupt does not end the wait.
     *
     * @param deadline how long at most
     */
    public void join(Deadline deadline) {
        Thread running = other();
        if (running != null) {
            deadline.await(running);
        }
    }

    /** Returns the thread; null if it does not run, or if it is the caller itself. */
    private @Nullable Thread other() {
        Thread running = thread;
        return running == Thread.currentThread() ? null : running;
    }

    /**
     * Stops the thread, and waits until it has ended, unless the thread itself calls this. An interrupt ends the wait, and the caller's
     * interrupt status stays set.
     *
     * @param millis how long at most
     */
    public void end(long millis) {
        stop();
        Thread running = other();
        try {
            if (running != null) {
                running.join(millis);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void run() {
        boolean ended = false;
        while (!ended) {
            try {
                loop.run();
                ended = true;
            } catch (RuntimeException | Error e) { // either would end the work silently
                failed(e);
            }
        }
    }

    private void failed(Throwable failure) {
        if (stopped) { // which is the most likely reason, but what the loop still does may fail again and again
            sleep(Math.min(retryNanos, ENDING_RETRY_NANOS));
        } else {
            retries.failed(failure);
            pause(retryNanos);
        }
    }
}
