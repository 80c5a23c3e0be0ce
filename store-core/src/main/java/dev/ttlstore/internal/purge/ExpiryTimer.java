package dev.ttlstore.internal.purge;

import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.ttlstore.engine.Engine;
import dev.ttlstore.engine.GroupRange;
import dev.ttlstore.engine.Row;
import dev.ttlstore.engine.StoreClock;
import dev.ttlstore.engine.support.BackgroundThreads;
import dev.ttlstore.engine.support.Deadline;
import dev.ttlstore.engine.support.RetryLog;
import dev.ttlstore.engine.support.WorkerThread;
import dev.ttlstore.internal.base.BackgroundWork;

/**
 * Removes expired entries, and thereby publishes their expiry, as soon as they have expired, while there is a
 * listener, watch or handler. A thread sleeps until the next expiry that the engine knows of. A commit wakes it for an
 * earlier expiry, or if the commit finds that the clock has passed the next one. Entries that expire within a short
 * time share a purge.
 */
public final class ExpiryTimer implements BackgroundWork {

    private static final Logger log = LoggerFactory.getLogger(ExpiryTimer.class);

    /** The alarm while there is no listener, watch or handler: no commit is early enough to wake the thread. */
    private static final long OFF = Long.MIN_VALUE;

    /** The pause between two purges. The next one handles the entries that expire meanwhile. */
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

    /** The longest sleep. The clock is then read again, in case it was set, or the machine was suspended. */
    private static final long MAX_SLEEP_MILLIS = 10_000;

    /** The pause after a failure. The purge at its interval continues meanwhile. */
    private static final long RETRY_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** How far a shared engine's clock may be ahead of the database that decides what has expired. */
    private static final long SKEW_MILLIS = 1_000;

    /** The name of the thread. */
    public static final String NAME = "ttl-store-expiry";

    private final Engine engine;
    private final StoreClock clock;
    private final ExpiredPurge purge;
    private final BooleanSupplier wanted;
    private final WorkerThread thread;
    private final long retryNanos;

    /** Whether other processes commit, too, whose reports may be lost. */
    private final boolean shared;

    private static final String AGAIN = "Expired entries are removed on time again";

    private final RetryLog retries =
            new RetryLog(log, "Expired entries could not be removed on time; this is retried each second");

    private final AtomicLong alarm = new AtomicLong(OFF);

    /**
     * Prepares a timer, which does not run yet.
     *
     * @param engine knows the next expiry
     * @param purge removes expired entries
     * @param wanted whether there is a listener, watch or handler
     */
    public ExpiryTimer(Engine engine, ExpiredPurge purge, BooleanSupplier wanted) {
        this(engine, purge, wanted, BackgroundThreads.named(NAME), RETRY_NANOS);
    }

    ExpiryTimer(Engine engine, ExpiredPurge purge, BooleanSupplier wanted, ThreadFactory threads, long retryNanos) {
        this.engine = engine;
        this.clock = engine.clock();
        this.purge = purge;
        this.wanted = wanted;
        this.thread = new WorkerThread(threads, retries, retryNanos, this::run);
        this.retryNanos = retryNanos;
        this.shared = engine.info().isShared();
    }

    /** Starts the thread if there is a listener, watch or handler. */
    public void start() {
        if (wanted.getAsBoolean()) {
            thread.start(); // fails if no thread can be created; the next call tries again
        }
    }

    /**
     * Starts the thread if it should run, but could not be created before.
     *
     * @return whether it runs now, or need not
     */
    public boolean ensureRunning() {
        return !wanted.getAsBoolean() || thread.ensureRunning();
    }

    /**
     * Tests whether its work fails again and again.
     *
     * @return whether entries expire late, and the log has the reason
     */
    public boolean isFailing() {
        return wanted.getAsBoolean() && retries.isFailing();
    }

    /** Stops the timer. A purge in progress ends after its current step. */
    @Override
    public void stop() {
        thread.stop();
        thread.interrupt();
    }

    @Override
    public void awaitStopped(Deadline deadline) {
        thread.join(deadline);
    }

    /**
     * Handles a commit of this store, or of another process. Returns at once.
     *
     * @param now the time of the commit
     * @param earliestExpiry the earliest expiry among the written rows
     */
    public void committed(long now, long earliestExpiry) {
        long set = alarm.get();
        if (set != OFF && (earliestExpiry < set || now >= set)) {
            lower(earliestExpiry);
            thread.wake();
        }
    }

    private void lower(long time) {
        alarm.accumulateAndGet(time, Math::min);
    }

    private void run() {
        while (goesOn()) {
            purgeWhenDue();
        }
    }

    /** Ends the thread if there is no listener, watch or handler any more. A later one starts another thread. */
    private boolean goesOn() {
        if (!thread.isStopped() && wanted.getAsBoolean()) {
            return true;
        }
        alarm.set(OFF); // first: another thread may begin at once
        return thread.goesOn(() -> !thread.isStopped() && wanted.getAsBoolean());
    }

    private void purgeWhenDue() {
        alarm.set(Row.NEVER); // first: later commits lower it, and nextDue() finds the earlier ones
        lower(engine.nextDue());
        awaitAlarm();
        alarm.set(Row.NEVER); // otherwise each commit meanwhile, even the purge's own, would find it passed
        long begun = shared ? clock.now() - SKEW_MILLIS : clock.now();
        long removed = thread.isStopped() ? 0 : purge.run(GroupRange.ALL);
        retries.succeeded(AGAIN);
        // A purge removes or moves what is due, unless the data contradict themselves, and mends unless another thread
        // is at it. An immediate retry would then spin.
        boolean left =
                (removed == 0 && engine.nextDue() < begun) || purge.mending().isDue();
        thread.pause(left ? retryNanos : PAUSE_NANOS);
    }

    private void awaitAlarm() {
        while (!thread.isStopped()) {
            long set = alarm.get();
            long wait = set - clock.now();
            if (wait <= 0 || purge.mending().isDue()) { // a purge also mends
                return;
            }
            retries.succeeded(AGAIN); // nothing is late
            boolean unlimited = set == Row.NEVER && !shared;
            thread.sleep(unlimited ? Long.MAX_VALUE : TimeUnit.MILLISECONDS.toNanos(Math.min(wait, MAX_SLEEP_MILLIS)));
            if (shared) {
                lower(engine.nextDue()); // a report of another process may have been lost
            }
        }
    }
}
