package dev.ttlstore.sqlite;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.ttlstore.engine.support.BackgroundThreads;
import dev.ttlstore.engine.support.OnDemandThread;
import dev.ttlstore.engine.support.RetryLog;
import dev.ttlstore.exception.StoreClosedException;
import dev.ttlstore.exception.StoreFullException;

/**
 * Gives room in the file that nobody uses back to the disk. A removal leaves free pages, and later writes use them. So
 * only pages that stayed free for a time are given back: the least number of free pages during that time, without a
 * part that is always kept. They are given back in short commits beside the writers, and the next checkpoint shortens
 * the file.
 *
 * <p>A file that soon grows to its former size was made smaller in vain. The time then doubles, until it is longer
 * than the cycle of purges and writes.
 */
final class Reclaimer implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(Reclaimer.class);

    /** How many pages a commit gives back, which takes about a millisecond. */
    static final int PAGES_PER_COMMIT = 64;

    /** Roughly how many pages a commit writes for each page that it gives back: its content, its parent and the map. */
    private static final int WRITTEN_PER_PAGE = 3;

    /** How many free pages are worth the work, and how many are kept at least: 4 MiB. */
    static final int MIN_PAGES = 1_024;

    /** Of the pages in use, one part in this many is kept free as well. */
    private static final int KEPT_PART = 8;

    /** The longest time for which pages must stay free. */
    private static final Duration MAX_WAIT = Duration.ofDays(1);

    /** A file that stays small for this many times the time was made smaller for good. */
    private static final int WAITS_UNTIL_SETTLED = 16;

    private static final long MIN_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    private final SessionPool writer;
    private final Checkpointer checkpointer;
    private final long firstWaitNanos;
    private final LongSupplier nanoTime;
    private final Alarm alarm;
    private final RetryLog retries =
            new RetryLog(log, "Free pages of the file could not be given back to the disk; this is tried again");
    private final CountDownLatch closing = new CountDownLatch(1);

    // The other fields are used only while the writer's session is held.

    /** Whether the file can become shorter. */
    private boolean possible;

    private long pagesSinceLook;

    /** How long pages must stay free. */
    private long waitNanos;

    /** Whether the thread will look at the end of the time. */
    private boolean watching;

    /** The least number of free pages since the watch began. */
    private long leastFree;

    /** The size of the file, in pages, before room was given back; zero if it is settled whether that was in vain. */
    private long sizeBefore;

    /** The size of the file afterwards. */
    private long sizeAfter;

    /** When room was given back. */
    private long shortenedAt;

    /** Runs work after a time. */
    interface Alarm {

        /**
         * Runs work after some nanoseconds, unless it is closed before. Replaces work that was set before.
         *
         * @return false if it does not, because there is no memory for a thread, or it is closed
         */
        boolean set(Runnable work, long nanos);

        /** Forgets work that has not begun, and waits for work that has. */
        void close();
    }

    /** Runs work in a thread that starts when there may be something to do, and ends some time afterwards. */
    static final class AlarmThread implements Alarm {

        private final OnDemandThread thread = new OnDemandThread(
                BackgroundThreads.named("ttl-store-reclaim"), "Free pages of the file", this::runWhenDue, false);

        private volatile Runnable work = () -> {};
        private volatile long due;
        private volatile boolean closed;

        @Override
        public boolean set(Runnable next, long nanos) {
            due = System.nanoTime() + nanos;
            work = next;
            return thread.wake();
        }

        private void runWhenDue() {
            for (long left = due - System.nanoTime(); left > 0 && !closed; left = due - System.nanoTime()) {
                LockSupport.parkNanos(this, left);
            }
            if (!closed) {
                work.run();
            }
        }

        @Override
        public void close() {
            closed = true;
            thread.closeAndJoin();
        }
    }

    /**
     * Prepares to give room back.
     *
     * @param writer the connection that writes
     * @param checkpointer shortens the file
     * @param after how long pages must stay free at first; zero to give nothing back
     * @param alarm runs the work; closed with this
     * @param nanoTime measures the time
     */
    Reclaimer(SessionPool writer, Checkpointer checkpointer, Duration after, Alarm alarm, LongSupplier nanoTime) {
        this.writer = writer;
        this.checkpointer = checkpointer;
        this.firstWaitNanos = after.compareTo(MAX_WAIT) < 0 ? after.toNanos() : MAX_WAIT.toNanos();
        this.waitNanos = firstWaitNanos;
        this.alarm = alarm;
        this.nanoTime = nanoTime;
    }

    /** Looks at a file that was opened: an earlier process may have left free pages. */
    void opened(SqliteSession session) {
        possible = firstWaitNanos > 0 && session.canReclaim();
        if (possible) {
            look(session);
        } else if (firstWaitNanos > 0 && surplus(session, session.freePages()) > 0) {
            log.info(
                    "The file {} has {} free pages. Later entries use them, but they are not given back to the disk,"
                            + " because the file was made by an earlier version, or with reclaimAfter zero. Restore a"
                            + " backup of it, which is small, and shrinks from then on",
                    session.errors().location(),
                    session.freePages());
        }
    }

    /** Looks at the free pages once in a while. Called by the writer after a commit. */
    void committed(SqliteSession session, long pages) {
        pagesSinceLook += pages;
        if (possible && pagesSinceLook >= Checkpointer.PAGES_PER_LOOK) {
            pagesSinceLook = 0;
            look(session);
        }
    }

    private void look(SqliteSession session) {
        long free = session.freePages();
        if (watching) {
            leastFree = Math.min(leastFree, free);
        } else if (surplus(session, free) > 0) {
            watch(session, free);
        }
    }

    private void watch(SqliteSession session, long free) {
        adapt(session);
        leastFree = free;
        watching = alarm.set(this::run, waitNanos);
    }

    /** Doubles the time if the file has grown again, and forgets that when it has stayed small. */
    private void adapt(SqliteSession session) {
        if (sizeBefore == 0) {
            return;
        }
        if (session.pageCount() >= sizeAfter + (sizeBefore - sizeAfter) / 2) {
            waitNanos = Math.min(MAX_WAIT.toNanos(), waitNanos * 2);
            sizeBefore = 0;
        } else if (nanoTime.getAsLong() - shortenedAt >= WAITS_UNTIL_SETTLED * waitNanos) {
            waitNanos = firstWaitNanos;
            sizeBefore = 0;
        }
    }

    /** Returns how many of the free pages are worth giving back; zero for none. */
    private static long surplus(SqliteSession session, long free) {
        long surplus = free < 2 * MIN_PAGES ? 0 : free - kept(session, free);
        return surplus < MIN_PAGES ? 0 : surplus;
    }

    private static long kept(SqliteSession session, long free) {
        return Math.max(MIN_PAGES, (session.pageCount() - free) / KEPT_PART);
    }

    private void run() {
        try {
            giveBack();
            retries.succeeded("Free pages of the file can be given back to the disk again");
        } catch (StoreClosedException e) {
            log.trace("The store was closed meanwhile", e);
        } catch (StoreFullException e) {
            log.debug("The disk has no room for the commits that give free pages back; this is tried again", e);
        } catch (RuntimeException | Error e) {
            retries.failed(e);
        } finally {
            watchAgain();
        }
    }

    private void giveBack() {
        long surplus = writer.with(session -> checkpointer.isKeepingLog() ? 0L : surplus(session, leastFree));
        if (surplus == 0) {
            return;
        }
        long before = writer.with(SqliteSession::pageCount);
        long left = surplus;
        long pause = MIN_PAUSE_NANOS;
        while (left > 0
                && !isClosing(pause)
                && !checkpointer.isKeepingLog()
                && !checkpointer.health().isHindered()) {
            long begun = nanoTime.getAsLong();
            int pages = (int) Math.min(left, PAGES_PER_COMMIT);
            boolean done = writer.with(session -> step(session, pages));
            if (!done) {
                break;
            }
            left -= pages;
            pause = Math.max(MIN_PAUSE_NANOS, nanoTime.getAsLong() - begun); // half of the time is for others
            checkpointer.settle();
        }
        if (left < surplus) {
            checkpointer.shorten();
            long given = surplus - left;
            writer.use(session -> {
                sizeBefore = Math.max(sizeBefore, before);
                sizeAfter = session.pageCount();
                shortenedAt = nanoTime.getAsLong();
            });
            log.debug("{} of {} pages of the file were free for a time, and were given back", given, before);
        }
    }

    /** Gives some pages back in one commit, unless writers have used them meanwhile. */
    private boolean step(SqliteSession session, int pages) {
        long free = session.freePages();
        if (free - pages < kept(session, free)) {
            return false;
        }
        checkpointer.helpIfDue(session);
        // A prepared statement would stop after the first page. The next checkpoint makes the file shorter.
        session.commit(() -> session.execute("PRAGMA incremental_vacuum(" + pages + ")"));
        checkpointer.committed(session, (long) pages * WRITTEN_PER_PAGE);
        if (checkpointer.hasLittleRoom()) {
            boolean unused = checkpointer.emptyLog(session); // or the log would take what is left
        }
        return true;
    }

    private boolean isClosing(long nanos) {
        try {
            return closing.await(nanos, TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // nobody else has this thread
            return true;
        }
    }

    private void watchAgain() {
        try {
            writer.use(session -> {
                watching = false;
                look(session);
            });
        } catch (StoreClosedException e) {
            log.trace("The store was closed meanwhile", e);
        } catch (RuntimeException | Error e) {
            log.debug("The free pages of the file could not be counted; a later commit does", e);
        }
    }

    /** Ends the work after the current commit, and waits for that. */
    @Override
    public void close() {
        closing.countDown();
        alarm.close();
    }
}
