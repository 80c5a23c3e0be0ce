package dev.ttlstore.sqlite;

import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.ttlstore.exception.StoreFullException;

/**
 * Folds the WAL into the file, beside the writer rather than in its way. Most of it is copied by a connection of its own
 * while commits go on; what they add meanwhile is little, and is copied while the writer waits, so that the WAL can begin
 * anew. When the WAL grows to its limit all the same, the writer folds it itself before it goes on.
 */
final class Checkpointer implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(Checkpointer.class);

    /** As SQLite has it, 4 MiB: less would be copied too often, whatever the size of the file. */
    private static final int MIN_FRAMES = 1_000;

    /** The same on a disk that has little room left. */
    private static final int MIN_FRAMES_ON_SMALL_DISK = 64;

    /** Less than this is little. */
    private static final long LITTLE_ROOM = 16 * 1024 * 1024;

    /** What the writer may be kept waiting for. */
    private static final int REMAINDER = 50;

    /** Rounds of copying beside the writer; each leaves what was written during it, which is less each time. */
    private static final int MAX_ROUNDS = 8;

    /** Pages that are written, more or less, between two looks at the length of the WAL: a look costs a little. */
    static final int PAGES_PER_LOOK = 128;

    private static final int IDLE_SECONDS = 10;

    /** How long the writer waits for readers when the WAL has reached its limit. */
    private static final int PATIENCE_MILLIS = 1_000;

    /** The same when the disk is full. */
    private static final int PATIENCE_ON_FULL_DISK_MILLIS = 100;

    /** How long the log may grow for want of being folded before that is an alarm. */
    private static final long ALARM_NANOS = Duration.ofSeconds(30).toNanos();

    /** What long work waits at most before it goes on all the same. */
    private static final int MAX_SETTLE_SECONDS = 1;

    private final SessionPool writer;
    private final Supplier<SqliteSession> opener;
    private final Runnable force;
    private final LongSupplier usableSpace;
    private final int maxFrames;
    private final LongSupplier nanoTime;
    private final AtomicBoolean awake = new AtomicBoolean();
    private final ExecutorService executor;

    /** Held while something is copied, for SQLite lets nobody else do so meanwhile; never while waiting for the writer. */
    private final Lock copying = new ReentrantLock();

    /** Held while a fold goes on, from its first round of copying to its last. */
    private final Lock folding = new ReentrantLock();

    /** Used by the writer alone. */
    private long pagesSinceLook;

    /** The length of the WAL at which the writer helps; used by it alone. */
    private int helpAt;

    /** Whether the WAL has reached it; used by the writer alone. */
    private boolean helpDue;

    /** Used by the checkpointing thread, and at closing. */
    private @Nullable SqliteSession session;

    /** Why the WAL could not be folded when that was last tried; null if it was. */
    private volatile @Nullable Throwable failure;

    /** When it was last warned of that; zero if it never was. */
    private volatile long lastWarning;

    /** Since when a read has kept the WAL beyond its limit; zero if none does. */
    private volatile long hinderedSince;

    /**
     * Prepares checkpoints; the thread begins when there is something to do, and ends when there was nothing for a while.
     *
     * @param writer the connection that writes
     * @param opener opens a connection for the copying
     * @param force has the disk take what was copied into the file
     * @param usableSpace how many bytes the disk has left
     * @param maxFrames the length of the WAL at which the writer helps itself
     */
    Checkpointer(
            SessionPool writer,
            Supplier<SqliteSession> opener,
            Runnable force,
            LongSupplier usableSpace,
            int maxFrames) {
        this(writer, opener, force, usableSpace, maxFrames, System::nanoTime);
    }

    Checkpointer(
            SessionPool writer,
            Supplier<SqliteSession> opener,
            Runnable force,
            LongSupplier usableSpace,
            int maxFrames,
            LongSupplier nanoTime) {
        this.writer = writer;
        this.opener = opener;
        this.force = force;
        this.usableSpace = usableSpace;
        this.maxFrames = maxFrames;
        this.helpAt = maxFrames;
        this.nanoTime = nanoTime;
        ThreadPoolExecutor pool =
                new ThreadPoolExecutor(1, 1, IDLE_SECONDS, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), task -> {
                    Thread thread = new Thread(task, "ttl-store-checkpoint");
                    thread.setDaemon(true);
                    return thread;
                });
        pool.allowCoreThreadTimeOut(true);
        this.executor = pool;
    }

    /** A commit is done; called by the writer, which is not kept for long: its readers wait for it. */
    void committed(SqliteSession writing, long pages) {
        pagesSinceLook += pages;
        if (pagesSinceLook < PAGES_PER_LOOK) {
            return;
        }
        pagesSinceLook = 0;
        Progress progress = writing.checkpoint(SqliteSession.Checkpoint.NOOP);
        helpDue = progress.frames() >= helpAt;
        // When the next writer folds the log, the thread beside it would only be in its way.
        if (!helpDue && progress.pending() >= enough(writing)) {
            wake();
        }
    }

    /** Has the WAL folded before the next commit, if it has reached its limit; called by the writer. */
    void helpIfDue(SqliteSession writing) {
        if (helpDue) {
            helpDue = false;
            help(writing);
        }
    }

    /**
     * How much is worth copying: half of what the file holds. A page that is rewritten meanwhile is copied once, and for that
     * there have to be some; on a disk with little room less, for what is in the WAL takes its room a second time.
     */
    private int enough(SqliteSession writing) {
        if (usableSpace.getAsLong() < LITTLE_ROOM) {
            return Math.min(maxFrames / 2, MIN_FRAMES_ON_SMALL_DISK);
        }
        return (int) Math.min(maxFrames / 2, Math.max(MIN_FRAMES, writing.pageCount() / 2));
    }

    /**
     * Folds all of the WAL, and gives back the room that it takes; called by the writer, when the disk is full.
     *
     * @return whether there was anything in it, and no reader needs it any more
     */
    boolean emptyLog(SqliteSession writing) {
        copying.lock();
        try {
            boolean empty = writing.checkpoint(SqliteSession.Checkpoint.NOOP).frames() == 0;
            Progress progress = writing.restartWal(SqliteSession.Checkpoint.TRUNCATE, PATIENCE_ON_FULL_DISK_MILLIS);
            succeeded();
            if (!progress.hindered()) {
                hinderedSince = 0;
            }
            return !empty && !progress.hindered();
        } finally {
            copying.unlock();
        }
    }

    /** Whether folding failed for want of room. */
    boolean isFull() {
        return failure instanceof StoreFullException;
    }

    /** Why the WAL could not be folded when that was last tried; null if it was. */
    @Nullable
    Throwable failure() {
        return failure;
    }

    /** Whether a read has kept the WAL beyond its limit for long. */
    boolean isHinderedForLong() {
        long since = hinderedSince;
        return since != 0 && nanoTime.getAsLong() - since >= ALARM_NANOS;
    }

    /**
     * The writer folds the WAL itself. Reads that overlap always leave one that still needs a part of it, so it waits until
     * those are over that have begun before; later ones read from the file alone, and the WAL begins anew.
     */
    private void help(SqliteSession writing) {
        Progress progress;
        copying.lock();
        try {
            progress = writing.restartWal(SqliteSession.Checkpoint.RESTART, PATIENCE_MILLIS);
        } finally {
            copying.unlock();
        }
        succeeded();
        if (progress.hindered()) {
            if (hinderedSince == 0) {
                hinderedSince = nanoTime.getAsLong() | 1; // never zero
            }
            helpAt += Math.max(1, maxFrames / 4); // the reader may need long; not every commit should wait for it
            log.warn(
                    "A long read prevents a checkpoint of the WAL, which has grown beyond its limit of {} pages"
                            + " and grows until the read ends",
                    maxFrames);
        } else {
            helpAt = maxFrames;
            hinderedSince = 0;
        }
    }

    private Progress copy(SqliteSession session) {
        copying.lock();
        try {
            return session.checkpoint(SqliteSession.Checkpoint.PASSIVE);
        } finally {
            copying.unlock();
        }
    }

    private void wake() {
        if (awake.compareAndSet(false, true)) {
            try {
                executor.execute(this::run);
            } catch (RejectedExecutionException e) {
                log.debug("The store is closing, which checkpoints the WAL in any case", e);
            } catch (Error e) { // there is no thread to be had; the next commit asks again
                awake.set(false);
                throw e;
            }
        }
    }

    private void run() {
        try {
            folding.lock();
            try {
                fold();
                succeeded();
            } finally {
                folding.unlock();
            }
        } catch (RuntimeException | Error e) {
            failed(e);
        } finally {
            awake.set(false);
        }
    }

    /**
     * Waits for the fold at hand. Beside a writer that goes on at full speed the last part of it, which the writer has to
     * wait for, would not become small.
     */
    void settle() {
        try {
            if (awake.get() && folding.tryLock(MAX_SETTLE_SECONDS, TimeUnit.SECONDS)) {
                folding.unlock();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // who has been told to end looks at it next
        }
    }

    private void succeeded() {
        failure = null;
    }

    /** Takes note of a failure, and warns now and then: each commit may bring us here, and on a full disk some succeed. */
    void failed(Throwable cause) {
        failure = cause;
        long now = nanoTime.getAsLong();
        long last = lastWarning;
        if (last == 0 || now - last >= ALARM_NANOS) {
            lastWarning = now | 1; // never zero
            log.warn("The WAL could not be checkpointed; it grows until a checkpoint succeeds", cause);
        }
    }

    private void fold() {
        SqliteSession own = session;
        if (own == null) {
            own = opener.get();
            session = own;
        }
        int rounds = 0;
        Progress progress;
        do {
            copy(own); // which tells how long the WAL was when it began
            force.run(); // or SQLite does so in the last part, all at once
            progress = own.checkpoint(SqliteSession.Checkpoint.NOOP);
        } while (progress.pending() > REMAINDER && ++rounds < MAX_ROUNDS);
        if (progress.pending() > 0) {
            progress = writer.with(this::copy);
        }
        if (progress.pending() == 0 && !progress.hindered()) {
            hinderedSince = 0; // the read that was in the way has ended
        }
    }

    /**
     * How far a checkpoint has come.
     *
     * @param hindered whether somebody who needs the WAL, or copies from it, kept it from being done whole
     * @param frames the pages in the WAL
     * @param copied how many of them are in the file
     */
    record Progress(boolean hindered, int frames, int copied) {

        int pending() {
            return frames - copied;
        }
    }

    /** Lets the checkpoint at hand finish. */
    @Override
    public void close() {
        executor.shutdown();
        boolean interrupted = false;
        while (!executor.isTerminated()) {
            try {
                executor.awaitTermination(1, TimeUnit.SECONDS); // whether it has is asked above
            } catch (InterruptedException e) {
                interrupted = true; // the file must not be let go while it is copied to
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        if (session != null) {
            session.close();
        }
    }
}
