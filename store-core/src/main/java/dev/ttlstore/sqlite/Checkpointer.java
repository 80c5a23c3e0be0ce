package dev.ttlstore.sqlite;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.ttlstore.engine.support.BackgroundThreads;
import dev.ttlstore.engine.support.OnDemandThread;

/**
 * Checkpoints the WAL in parallel with the writer. A connection of its own copies most of the WAL into the file while
 * commits go on. What these commits add is little, and is copied while the writer waits, so that the WAL can restart
 * from its beginning. If the WAL grows to its limit nevertheless, the writer checkpoints it before it goes on.
 *
 * <p>If another program checkpoints the WAL, this only watches whether it does, unless the disk is full.
 */
final class Checkpointer implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(Checkpointer.class);

    /**
     * How many frames are worth a checkpoint at least: SQLite's own default, 4 MiB. With fewer frames, pages would be
     * copied too often, whatever the size of the file.
     */
    private static final int MIN_FRAMES = 1_000;

    /** The same on a disk with little room left. */
    private static final int MIN_FRAMES_ON_SMALL_DISK = 64;

    /** Free space below this many bytes is little. */
    private static final long LITTLE_ROOM = 16 * 1024 * 1024;

    /** How many frames may be left to copy while the writer waits. */
    private static final int REMAINDER = 50;

    /**
     * How many rounds of copying run in parallel with the writer. Each leaves the frames that were written during it,
     * which are fewer each time.
     */
    private static final int MAX_ROUNDS = 8;

    /** Roughly how many pages are written between two checks of the WAL's length. A check costs a little. */
    static final int PAGES_PER_LOOK = 128;

    /** How long the writer waits for readers when the WAL has reached its limit. */
    private static final int PATIENCE_MILLIS = 1_000;

    /** The same when the disk is full. */
    private static final int PATIENCE_ON_FULL_DISK_MILLIS = 100;

    /** How long long-running work waits for a checkpoint before it goes on. */
    private static final int MAX_SETTLE_SECONDS = 1;

    private final SessionPool writer;
    private final Supplier<SqliteSession> opener;
    private final Runnable force;
    private final LongSupplier usableSpace;
    private final int maxFrames;
    private final boolean external;
    private final CheckpointHealth health;
    private final OnDemandThread thread = new OnDemandThread(
            BackgroundThreads.named("ttl-store-checkpoint"), "Checkpoints of the WAL", this::run, false);

    /** Whether the thread is making a checkpoint. */
    private volatile boolean running;

    /**
     * Held while frames are copied, because SQLite allows only one checkpoint at a time. Never held while waiting for
     * the writer.
     */
    private final Lock copying = new ReentrantLock();

    /** Held during a whole checkpoint, from its first round of copying to its last. */
    private final Lock folding = new ReentrantLock();

    /** Used only by the writer. */
    private long pagesSinceLook;

    /** The length of the WAL at which the writer checkpoints it; used only by the writer. */
    private int helpAt;

    /** Whether the WAL has reached this length; used only by the writer. */
    private boolean helpDue;

    /** How many backups need the log as it is. */
    private volatile int backups;

    /** Whether the thread copies what has piled up during a backup, so that the writer need not help. */
    private volatile boolean catchingUp;

    /** Used by the checkpointing thread, and by the close. */
    private @Nullable SqliteSession session;

    /**
     * Prepares checkpoints. Their thread starts when there is something to do, and ends after an idle time.
     *
     * @param writer the connection that writes
     * @param opener opens a connection for the copying
     * @param force forces copied pages to the disk
     * @param usableSpace returns how many bytes the disk has left
     * @param maxFrames the length of the WAL at which the writer checkpoints it
     * @param external whether another program checkpoints the WAL, and nothing here does unless the disk is full
     * @param nanoTime the time for warnings
     */
    Checkpointer(
            SessionPool writer,
            Supplier<SqliteSession> opener,
            Runnable force,
            LongSupplier usableSpace,
            int maxFrames,
            boolean external,
            LongSupplier nanoTime) {
        this.writer = writer;
        this.opener = opener;
        this.force = force;
        this.usableSpace = usableSpace;
        this.maxFrames = maxFrames;
        this.external = external;
        this.helpAt = maxFrames;
        this.health = new CheckpointHealth(log, maxFrames, nanoTime);
    }

    /**
     * Handles a commit: starts a checkpoint if there is enough to copy. Called by the writer, and never slow, because
     * readers wait for the end of the commit.
     */
    void committed(SqliteSession writing, long pages) {
        pagesSinceLook += pages;
        if (pagesSinceLook < PAGES_PER_LOOK || backups > 0) {
            return;
        }
        pagesSinceLook = 0;
        Checkpoint.Progress progress = writing.checkpoint(Checkpoint.NOOP);
        if (external) {
            health.watch(progress);
            return;
        }
        helpDue = progress.frames() >= helpAt && !catchingUp;
        // If the next writer checkpoints the WAL, the thread would only be in its way.
        if (!helpDue && progress.pending() >= enough(writing)) {
            wake();
        }
    }

    /**
     * Tests whether the program that should checkpoint the WAL does not.
     *
     * @param writing the writer's session
     */
    boolean isUnattended(SqliteSession writing) {
        if (health.isUnattended()) {
            health.watch(writing.checkpoint(Checkpoint.NOOP)); // it may have done so without a commit since
        }
        return health.isUnattended();
    }

    /** Checkpoints the WAL before the next commit, if it has reached its limit. Called by the writer. */
    void helpIfDue(SqliteSession writing) {
        if (helpDue && backups == 0) {
            helpDue = false;
            help(writing);
        }
    }

    /**
     * Leaves the log alone while backups are made, which need the pages of the moment when they began. Otherwise writers would wait in
     * vain for them. What has piled up is then copied by the thread.
     *
     * @param number how many backups there are now
     */
    void keepLog(int number) {
        backups = number;
        if (number == 0 && !external) {
            catchingUp = true;
            wake();
        }
    }

    /** Returns what keeps the WAL from being checkpointed. */
    CheckpointHealth health() {
        return health;
    }

    /** Tests whether a backup needs the log as it is. */
    boolean isKeepingLog() {
        return backups > 0;
    }

    /** Starts a checkpoint, which shortens the file if its last pages are no longer used. */
    void shorten() {
        settle(); // a checkpoint in progress may be past the last commit
        wake();
    }

    /** Tests whether the disk has little room left. */
    boolean hasLittleRoom() {
        return usableSpace.getAsLong() < LITTLE_ROOM;
    }

    /**
     * Returns how many frames are worth a checkpoint: half as many as the file has pages. With that many, a page that
     * was rewritten several times is copied only once. On a disk with little room the number is lower, because frames
     * in the WAL take room a second time.
     */
    private int enough(SqliteSession writing) {
        if (hasLittleRoom()) {
            return Math.min(maxFrames / 2, MIN_FRAMES_ON_SMALL_DISK);
        }
        return (int) Math.min(maxFrames / 2, Math.max(MIN_FRAMES, writing.pageCount() / 2));
    }

    /**
     * Checkpoints the whole WAL and truncates it, to give its room back. Called by the writer when the disk is full.
     *
     * @return whether the WAL had any frames, and no reader needs them any more; false if another program checkpoints
     *     and there is room
     */
    boolean emptyLog(SqliteSession writing) {
        if (external && !hasLittleRoom()) {
            health.succeeded();
            return false;
        }
        return copying(() -> {
            boolean empty = writing.checkpoint(Checkpoint.NOOP).frames() == 0;
            Checkpoint.Progress progress = writing.restartWal(Checkpoint.TRUNCATE, PATIENCE_ON_FULL_DISK_MILLIS);
            health.succeeded();
            if (!progress.hindered()) {
                health.readsEnded();
            }
            return !empty && !progress.hindered();
        });
    }

    /** Does what copies frames, while nobody else does. */
    private <R> R copying(Supplier<R> work) {
        copying.lock();
        try {
            return work.get();
        } finally {
            copying.unlock();
        }
    }

    /**
     * Checkpoints the WAL as the writer. While reads overlap, one of them always needs a part of the WAL. So the
     * writer waits until the reads that started earlier have ended. Later reads need only the file, and the WAL
     * restarts from its beginning.
     */
    private void help(SqliteSession writing) {
        Checkpoint.Progress progress = copying(() -> writing.restartWal(Checkpoint.RESTART, PATIENCE_MILLIS));
        health.succeeded();
        if (progress.hindered()) {
            health.hinderedByRead();
            helpAt += Math.max(1, maxFrames / 4); // the read may take long; not every commit should wait for it
            log.warn(
                    "A long read prevents a checkpoint of the WAL, which has grown beyond its limit of {} pages"
                            + " and grows until the read ends",
                    maxFrames);
        } else {
            helpAt = maxFrames;
            health.readsEnded();
        }
    }

    private Checkpoint.Progress copy(SqliteSession session) {
        return copying(() -> session.checkpoint(Checkpoint.PASSIVE));
    }

    private void wake() {
        if (!external && !running) {
            boolean unused = thread.wake(); // without memory for a thread, a later commit tries again
        }
    }

    private void run() {
        running = true;
        try {
            folding.lock();
            try {
                fold();
                health.succeeded();
            } finally {
                folding.unlock();
            }
        } catch (RuntimeException | Error e) {
            health.failed(e);
        } finally {
            catchingUp = false;
            running = false;
        }
    }

    /**
     * Waits for the checkpoint in progress. Otherwise a writer at full speed would add so much that the last part of
     * the checkpoint, for which the writer waits, never became small.
     */
    void settle() {
        try {
            if (running && folding.tryLock(MAX_SETTLE_SECONDS, TimeUnit.SECONDS)) {
                folding.unlock();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // the caller checks its interrupt status next
        }
    }

    private void fold() {
        SqliteSession own = session;
        if (own == null) {
            own = opener.get();
            session = own;
        }
        int rounds = 0;
        Checkpoint.Progress progress;
        do {
            copy(own); // its result is as of its start, and not needed
            force.run(); // otherwise SQLite forces all pages in the last part
            progress = own.checkpoint(Checkpoint.NOOP);
        } while (progress.pending() > REMAINDER && ++rounds < MAX_ROUNDS);
        if (progress.pending() > 0) {
            progress = writer.with(this::copy);
        }
        if (progress.pending() == 0 && !progress.hindered()) {
            health.readsEnded(); // the read that prevented it has ended
        }
    }

    /** Waits for the checkpoint in progress, and closes the connection for the copying. */
    @Override
    public void close() {
        thread.closeAndJoin();
        if (session != null) {
            session.close();
        }
    }
}
