package dev.ttlstore.internal.purge;

import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.ttlstore.engine.Engine;
import dev.ttlstore.engine.GroupRange;
import dev.ttlstore.engine.support.BackgroundThreads;
import dev.ttlstore.engine.support.Deadline;
import dev.ttlstore.engine.support.OnDemandThread;
import dev.ttlstore.engine.support.RetryLog;
import dev.ttlstore.internal.base.BackgroundWork;

/**
 * Purges before the interval is over, if ranges are read and many entries have expired: such a read steps over each expired
 * entry in its range. Reads of single keys do not, so a store without ranges leaves its expired entries to the regular purge.
 * Its thread starts when it has something to look at, and ends after an idle time. Thread-safe.
 */
public final class EarlyPurge implements BackgroundWork {

    private static final Logger log = LoggerFactory.getLogger(EarlyPurge.class);

    /** The name of the thread. */
    public static final String NAME = "ttl-store-early-purge";

    /** How many due entries are worth a purge. Stepping over fewer takes less than a millisecond. */
    static final int MANY = 1_024;

    /** The pause between two looks, however many ranges are read. */
    private static final long PAUSE_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** The pause after a failure, which may last, as on a full disk. */
    private static final long PAUSE_AFTER_FAILURE_NANOS = TimeUnit.MINUTES.toNanos(1);

    private final Engine engine;
    private final ExpiredPurge purge;
    private final OnDemandThread thread;
    private final LongSupplier nanoTime;
    private final AtomicLong nextLook;
    private final RetryLog retries =
            new RetryLog(log, "Expired entries could not be removed early; the next purge removes them");
    private volatile boolean stopped;

    /**
     * Creates one, without a thread.
     *
     * @param engine tells what has expired
     * @param purge removes expired entries
     */
    public EarlyPurge(Engine engine, ExpiredPurge purge) {
        this(engine, purge, BackgroundThreads.named(NAME), System::nanoTime);
    }

    EarlyPurge(Engine engine, ExpiredPurge purge, ThreadFactory threads, LongSupplier nanoTime) {
        this.engine = engine;
        this.purge = purge;
        this.nanoTime = nanoTime;
        this.nextLook = new AtomicLong(nanoTime.getAsLong());
        this.thread = new OnDemandThread(threads, "Expired entries that reads find", this::purgeMany, false);
    }

    /** Notes that a range is read. Returns at once. */
    public void rangeRead() {
        long now = nanoTime.getAsLong();
        long due = nextLook.get();
        if (now - due >= 0 && nextLook.compareAndSet(due, now + PAUSE_NANOS)) {
            boolean unused = thread.wake(); // without memory for a thread, a later read tries again
        }
    }

    private void purgeMany() {
        try {
            if (!stopped && engine.areDue(engine.clock().now(), MANY)) {
                purge.run(GroupRange.ALL);
            }
            retries.succeeded("Expired entries can be removed early again");
        } catch (RuntimeException | Error e) { // the next one waits a while
            nextLook.set(nanoTime.getAsLong() + PAUSE_AFTER_FAILURE_NANOS);
            if (!stopped) { // otherwise closing the store has ended the purge
                retries.failed(e);
            }
        }
    }

    @Override
    public void stop() {
        stopped = true;
        thread.close();
        thread.interrupt();
    }

    @Override
    public void awaitStopped(Deadline deadline) {
        thread.join(deadline);
    }
}
