package dev.ttlstore.sqlite;

import java.io.IOException;
import java.util.function.BooleanSupplier;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.ttlstore.engine.support.OwnerState;
import dev.ttlstore.exception.StoreException;
import dev.ttlstore.exception.StoreFullException;

/**
 * Keeps a full disk from becoming a trap. Even a removal adds to the WAL first, and the pages in the WAL need room in
 * the file before the WAL gives any back. So a {@link Reserve} holds as much room as the WAL will add to the file,
 * and some more for removals. If the disk has no room for this reserve, a commit is refused unless it frees room.
 *
 * <p>Used only by the writer, and by the threads that open and close the engine.
 */
final class DiskSpace {

    private static final Logger log = LoggerFactory.getLogger(DiskSpace.class);

    /** How many rows a commit may remove at first, after the disk was found full. */
    private static final int FIRST_REMOVAL_LIMIT = 16;

    /** When the limit has reached this number, the next success removes the limit. */
    private static final int LAST_REMOVAL_LIMIT = 4_096;

    /** With this much free space on the disk, removals have no limit. */
    private static final long PLENTY_BYTES = 16 * 1024 * 1024;

    private final StoreFile file;
    private final Reserve reserve;
    private final Checkpointer checkpointer;
    private final Reclaimer reclaimer;
    private final long pageSize;
    private final OwnerState owner;
    private final BooleanSupplier syncLog;

    /** Roughly how many pages may be written between two checks of how much the WAL will add to the file. */
    private final long pagesPerLook;

    private long pagesSinceLook;

    /**
     * How many rows a commit may remove. The limit falls after each commit that finds the disk full, and rises after
     * each commit that succeeds.
     */
    private int removalLimit = Integer.MAX_VALUE;

    DiskSpace(
            StoreFile file,
            Reserve reserve,
            Checkpointer checkpointer,
            Reclaimer reclaimer,
            long pageSize,
            OwnerState owner,
            BooleanSupplier syncLog) {
        this.file = file;
        this.reserve = reserve;
        this.checkpointer = checkpointer;
        this.reclaimer = reclaimer;
        this.pageSize = pageSize;
        this.owner = owner;
        this.syncLog = syncLog;
        // What is written unnoticed between two checks takes at most half of the room for removals.
        this.pagesPerLook = Math.min(Checkpointer.PAGES_PER_LOOK, reserve.base() / pageSize / 2);
        this.pagesSinceLook = pagesPerLook; // a WAL found at the opening was not checked yet
    }

    /** Prepares the reserve after an opening. On a disk that is nearly full, the WAL first gives its room back. */
    void opened(SqliteSession session) {
        if (reserve.isGivenUp()) {
            emptyLog(session);
        }
        tryToHold(session);
    }

    /**
     * Runs work and commits it. On a full disk, the work runs again with the room of the reserve, if that may help.
     */
    <R extends @Nullable Object> R write(SqliteSession session, Function<SqliteCommit, R> work) {
        beforeWrite(session);
        if (removalLimit < Integer.MAX_VALUE && file.usableSpace() >= PLENTY_BYTES) {
            removalLimit = Integer.MAX_VALUE;
        }
        SqliteCommit first = new SqliteCommit(session, owner, syncLog, false, removalLimit);
        try {
            return commit(session, first, work);
        } catch (StoreFullException e) {
            if (!make(session, first)) {
                throw e;
            }
        }
        try {
            return writeSparingly(session, work);
        } finally {
            reserve.giveUp();
            emptyLog(session);
            tryToHold(session);
        }
    }

    /**
     * Runs work with a lower removal limit, and halves the limit, down to one row, while there is no room for more.
     */
    private <R extends @Nullable Object> R writeSparingly(SqliteSession session, Function<SqliteCommit, R> work) {
        removalLimit = Math.min(removalLimit, FIRST_REMOVAL_LIMIT);
        while (true) {
            SqliteCommit again = new SqliteCommit(session, owner, syncLog, true, removalLimit);
            try {
                return commit(session, again, work);
            } catch (StoreFullException e) {
                if (removalLimit == 1 || !again.freesRoom()) {
                    throw e;
                }
                removalLimit /= 2;
            }
        }
    }

    private <R extends @Nullable Object> R commit(
            SqliteSession session, SqliteCommit transaction, Function<SqliteCommit, R> work) {
        R answer = transaction.commit(work, () -> beforeCommit(session, transaction));
        committed(session, transaction.pages());
        if (transaction.isAtRemovalLimit()) {
            removalLimit = removalLimit < LAST_REMOVAL_LIMIT ? removalLimit * 2 : Integer.MAX_VALUE;
        } else if (!transaction.usesReserve()) {
            removalLimit = Integer.MAX_VALUE; // there is room again
        }
        return answer;
    }

    /** Refuses a commit whose writes so far would leave too little room. */
    private void beforeCommit(SqliteSession session, SqliteCommit transaction) {
        if (transaction.usesReserve() && transaction.freesRoom()) {
            long growth = growth(session);
            if (growth > 0) {
                // Without this much room, the WAL could not be checkpointed afterwards. A changed expiry still takes
                // room in an index, so such a commit must also leave what removals need.
                hold(session, growth + (transaction.movesRows() ? 0 : reserve.base() / 4));
            }
            return;
        }
        pagesSinceLook += transaction.pages();
        if (pagesSinceLook >= pagesPerLook || transaction.movesRows() || reserve.isGivenUp()) {
            hold(session);
        }
    }

    private void hold(SqliteSession session) {
        hold(session, reserve.base() + growth(session));
        pagesSinceLook = 0;
    }

    private void hold(SqliteSession session, long space) {
        try {
            reserve.hold(space);
        } catch (IOException e) {
            if (isFull(e)) {
                throw session.errors().full(e);
            }
            log.debug("The reserve beside {} cannot be written; the commit will show the cause", file.path(), e);
        }
    }

    /**
     * Tests whether an exception reports a full disk. Its message may be in any language, so this checks the free
     * space, too.
     */
    private boolean isFull(IOException e) {
        String message = String.valueOf(e.getMessage());
        return file.usableSpace() < Reserve.BLOCK_BYTES || message.contains("space") || message.contains("quota");
    }

    /** Returns how many bytes the WAL, with the current transaction, will add to the file. */
    private long growth(SqliteSession session) {
        return Math.max(0, session.pageCount() * pageSize - file.length());
    }

    /**
     * Makes room after a commit was refused because the disk is full. It checkpoints the WAL with the room of the
     * reserve. For a commit that frees room, the reserve stays given up. For others it is filled again first.
     *
     * @return whether to try again
     */
    private boolean make(SqliteSession session, SqliteCommit refused) {
        boolean frees = refused.freesRoom();
        boolean more = reserve.giveUp();
        boolean folded = emptyLog(session);
        if (!frees) {
            tryToHold(session);
        }
        return frees || more || folded;
    }

    private void tryToHold(SqliteSession session) {
        try {
            hold(session);
        } catch (StoreFullException e) {
            log.debug(
                    "The disk of the store {} is full; until there is room, only writes that free some are made",
                    file.path(),
                    e);
        } catch (StoreException e) { // a commit may be made already, so it must not fail now
            checkpointer.health().failed(e);
        }
    }

    /** Handles a commit. The commit has succeeded, so a failure here is only noted. Called by the writer. */
    void committed(SqliteSession session, long pages) {
        try {
            checkpointer.committed(session, pages);
            reclaimer.committed(session, pages);
        } catch (RuntimeException | Error e) {
            checkpointer.health().failed(e);
        }
    }

    /**
     * Does slow work that a commit has left. It runs before the next commit, because callers and readers wait for the
     * end of a commit.
     */
    void beforeWrite(SqliteSession session) {
        try {
            checkpointer.helpIfDue(session);
            if (checkpointer.health().isFull()) {
                fold(session);
            }
        } catch (RuntimeException | Error e) {
            checkpointer.health().failed(e);
        }
    }

    /**
     * Throws if the WAL could not be checkpointed, and still cannot be.
     *
     * @param writer provides the writer's session
     */
    void check(SessionPool writer) {
        if (checkpointer.health().failure() != null || checkpointer.health().isHinderedForLong()) {
            writer.use(this::fold);
        }
        boolean unattended = writer.with(checkpointer::isUnattended);
        if (unattended) {
            throw new StoreException(
                    "The log of the store " + file.path() + " has grown to "
                            + file.sizes().wal() + " bytes, because the program that should checkpoint it does not",
                    "Start that program, such as Litestream, or turn externalCheckpoints off",
                    null);
        }
        if (checkpointer.health().isHinderedForLong()) {
            throw new StoreException("The log of the store " + file.path() + " has grown to "
                    + file.sizes().wal()
                    + " bytes, because a read in progress prevents its checkpoint. End that read; it may belong to"
                    + " another program that has opened the file");
        }
    }

    private void fold(SqliteSession session) {
        reserve.giveUp();
        try {
            checkpointer.emptyLog(session);
        } finally {
            tryToHold(session);
        }
    }

    private boolean emptyLog(SqliteSession session) {
        try {
            return checkpointer.emptyLog(session);
        } catch (StoreException e) {
            checkpointer.health().failed(e); // the WAL may still have room for a removal
            return false;
        }
    }

    /**
     * Closes the last connection, which checkpoints the WAL with the room of the reserve. Then fills the reserve
     * again for the next opening.
     *
     * @param writer closes the last connection
     */
    void close(Runnable writer) {
        reserve.giveUp();
        try {
            writer.run();
            reserve.hold(reserve.base());
        } catch (IOException e) {
            log.debug("The disk of the store {} is full; it was closed without its reserve", file.path(), e);
        } finally {
            reserve.close();
        }
    }
}
