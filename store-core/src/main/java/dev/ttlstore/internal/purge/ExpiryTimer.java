package dev.ttlstore.internal.purge;

import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.ttlstore.engine.Engine;
import dev.ttlstore.engine.GroupRange;
import dev.ttlstore.engine.Row;
import dev.ttlstore.internal.base.Deadline;
import dev.ttlstore.internal.base.SafeLog;
import dev.ttlstore.internal.base.StoreClock;

/**
 * Has expired entries removed, and so told, as soon as they have expired, for as long as somebody wants to be told. A thread
 * sleeps until the next expiry that the engine knows of; commits wake it when they bring an earlier one, or when they find
 * that the clock has gone past it. What expires within a short time goes in one purge.
 */
public final class ExpiryTimer {

    private static final Logger log = LoggerFactory.getLogger(ExpiryTimer.class);

    /** In place of an alarm, while nobody wants to be told: no commit is early enough to wake the thread. */
    private static final long OFF = Long.MIN_VALUE;

    /** Between two purges: what expires meanwhile goes in the next one. */
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

    /** After this time the clock is looked at again, in case it was set, or the machine has slept. */
    private static final long MAX_SLEEP_MILLIS = 10_000;

    /** After a failure; the purge at its interval goes on meanwhile. */
    private static final long RETRY_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** The name of the thread. */
    public static final String NAME = "ttl-store-expiry";

    private final Engine engine;
    private final StoreClock clock;
    private final Purge purge;
    private final BooleanSupplier wanted;
    private final ThreadFactory threads;
    private final AtomicLong alarm = new AtomicLong(OFF);

    /** Guarded by this; read without by commits, which may miss a thread that is about to look for itself. */
    private volatile @Nullable Thread thread;

    private volatile boolean stopped;

    /**
     * Prepares a timer, which does nothing yet.
     *
     * @param engine who knows the next expiry
     * @param clock the store's time
     * @param purge what removes the expired
     * @param wanted whether somebody wants to be told
     */
    public ExpiryTimer(Engine engine, StoreClock clock, Purge purge, BooleanSupplier wanted) {
        this(engine, clock, purge, wanted, work -> new Thread(work, NAME));
    }

    ExpiryTimer(Engine engine, StoreClock clock, Purge purge, BooleanSupplier wanted, ThreadFactory threads) {
        this.engine = engine;
        this.clock = clock;
        this.purge = purge;
        this.wanted = wanted;
        this.threads = threads;
    }

    /** Somebody may want to be told from now on. */
    public synchronized void start() {
        if (!isAlive() && !stopped && wanted.getAsBoolean()) {
            Thread timer = threads.newThread(this::run);
            timer.setDaemon(true);
            timer.start(); // which may fail, for want of a thread; then the next to come tries again
            thread = timer;
        }
    }

    /**
     * Starts the thread if it should run and does not, for there was none to be had before.
     *
     * @return whether it runs now, or need not
     */
    public synchronized boolean ensureRunning() {
        try {
            start();
        } catch (Error e) {
            SafeLog.warn(log, "There is no thread to remove expired entries in", e);
        }
        return stopped || isAlive() || !wanted.getAsBoolean();
    }

    private boolean isAlive() {
        Thread timer = thread;
        return timer != null && timer.isAlive();
    }

    /** Ends it; a purge that is under way ends after its step. */
    public synchronized void stop() {
        stopped = true;
        Thread timer = thread;
        if (timer != null) {
            timer.interrupt();
        }
    }

    /**
     * Waits until a purge that was under way has ended. Not to be called from a listener, which that purge may wait for.
     *
     * @param deadline until when
     */
    public void awaitStopped(Deadline deadline) {
        Thread timer = thread;
        if (timer != null && timer != Thread.currentThread()) {
            deadline.await(timer::join);
        }
    }

    /**
     * A commit is done; called under the writer's lock.
     *
     * @param now the time by which it was decided
     * @param earliestExpiry the earliest expiry among what it has written
     */
    public void committed(long now, long earliestExpiry) {
        long set = alarm.get();
        if (set != OFF && (earliestExpiry < set || now >= set)) {
            lower(earliestExpiry);
            LockSupport.unpark(thread);
        }
    }

    private void lower(long time) {
        alarm.accumulateAndGet(time, Math::min);
    }

    private void run() {
        boolean goesOn = true;
        while (goesOn) {
            try {
                goesOn = goesOn();
                if (goesOn) {
                    purgeWhenDue();
                }
            } catch (RuntimeException | Error e) { // either would end the timer without a word
                if (!stopped) {
                    SafeLog.warn(
                            log, "Expired entries could not be removed on time; this is tried again in a second", e);
                    pause(RETRY_NANOS);
                }
            }
        }
    }

    private void purgeWhenDue() {
        alarm.set(Row.NEVER); // first: what is committed from now on lowers it, and what was before is found
        lower(engine.nextDue());
        awaitAlarm();
        alarm.set(Row.NEVER); // or each commit meanwhile, the purge's own too, would find it passed
        long begun = clock.now();
        long removed = stopped ? 0 : purge.run(GroupRange.ALL);
        boolean unused = Thread.interrupted(); // by a listener; the thread could not sleep with it
        // What is due is removed or moved, unless it contradicts itself: to try that again at once would spin.
        pause(removed == 0 && engine.nextDue() < begun ? RETRY_NANOS : PAUSE_NANOS);
    }

    /** For all of the time, though commits may wake the thread meanwhile. */
    private void pause(long nanos) {
        long end = System.nanoTime() + nanos;
        for (long left = nanos; left > 0 && !stopped; left = end - System.nanoTime()) {
            LockSupport.parkNanos(this, left);
        }
    }

    /** Ends the thread when nobody wants to be told any more; who comes after that starts another. */
    private synchronized boolean goesOn() {
        if (!stopped && wanted.getAsBoolean()) {
            return true;
        }
        alarm.set(OFF);
        thread = null;
        return false;
    }

    private void awaitAlarm() {
        while (!stopped) {
            long set = alarm.get();
            long wait = set - clock.now();
            if (wait <= 0) {
                return;
            }
            if (set == Row.NEVER) {
                LockSupport.park(this);
            } else {
                LockSupport.parkNanos(this, TimeUnit.MILLISECONDS.toNanos(Math.min(wait, MAX_SLEEP_MILLIS)));
            }
        }
    }
}
