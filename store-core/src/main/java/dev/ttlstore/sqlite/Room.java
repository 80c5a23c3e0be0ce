package dev.ttlstore.sqlite;

import java.io.IOException;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.ttlstore.engine.EngineTransaction;
import dev.ttlstore.exception.StoreException;
import dev.ttlstore.exception.StoreFullException;

/**
 * Keeps a full disk from being a trap. What is in the log needs room in the file, too, before the log gives any back, and even
 * a removal adds to the log first. So a {@link Reserve} holds as much room as the log will bring into the file, and some more
 * for removals. A commit that cannot have this held is refused, unless it frees room.
 *
 * <p>Used by the writer alone, and by whoever opens and closes the engine.
 */
final class Room {

    private static final Logger log = LoggerFactory.getLogger(Room.class);

    /** How many rows a commit may remove when the disk was found full, at first. */
    private static final int FIRST_REMOVAL_LIMIT = 16;

    /** With that much room there is no need to count them. */
    private static final int LAST_REMOVAL_LIMIT = 4_096;

    /** So much on the disk says as much. */
    private static final long PLENTY_BYTES = 16 * 1024 * 1024;

    private final StoreFile file;
    private final Reserve reserve;
    private final Checkpointer checkpointer;
    private final long pageSize;

    /** Pages that may be written, more or less, before it is looked how much the log brings into the file. */
    private final long pagesPerLook;

    private long pagesSinceLook;

    /** How many rows a commit may remove: less after each that found the disk full, and more after each that was done. */
    private int removalLimit = Integer.MAX_VALUE;

    Room(StoreFile file, Reserve reserve, Checkpointer checkpointer, long pageSize) {
        this.file = file;
        this.reserve = reserve;
        this.checkpointer = checkpointer;
        this.pageSize = pageSize;
        // What comes unnoticed between two looks takes half of what is there for removals, at most.
        this.pagesPerLook = Math.min(Checkpointer.PAGES_PER_LOOK, reserve.base() / pageSize / 2);
        this.pagesSinceLook = pagesPerLook; // a log that was found at the opening has not been looked at
    }

    /** Begins anew after an opening: on a disk that is nearly full the log gives back what it takes, before anything else. */
    void opened(SqliteSession session) {
        if (reserve.isGivenUp()) {
            emptyLog(session);
        }
        tryToHold(session);
    }

    /** Commits what some work writes. On a full disk it is run again with what is in reserve, if that may help. */
    <R extends @Nullable Object> R write(SqliteSession session, Function<EngineTransaction, R> work) {
        beforeWrite(session);
        if (removalLimit < Integer.MAX_VALUE && file.usableSpace() >= PLENTY_BYTES) {
            removalLimit = Integer.MAX_VALUE;
        }
        SqliteTransaction first = new SqliteTransaction(session, false, removalLimit);
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

    /** With fewer rows to remove, down to one, as long as there is no room for more. */
    private <R extends @Nullable Object> R writeSparingly(SqliteSession session, Function<EngineTransaction, R> work) {
        removalLimit = Math.min(removalLimit, FIRST_REMOVAL_LIMIT);
        while (true) {
            SqliteTransaction again = new SqliteTransaction(session, true, removalLimit);
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
            SqliteSession session, SqliteTransaction transaction, Function<EngineTransaction, R> work) {
        R answer = session.inTransaction(() -> {
            R worked = work.apply(transaction);
            beforeCommit(session, transaction);
            return worked;
        });
        committed(session, transaction.pages());
        if (transaction.isAtRemovalLimit()) {
            removalLimit = removalLimit < LAST_REMOVAL_LIMIT ? removalLimit * 2 : Integer.MAX_VALUE;
        } else if (!transaction.isRepeated()) {
            removalLimit = Integer.MAX_VALUE; // there is room again
        }
        return answer;
    }

    /** Refuses a commit, with what it has written so far, that would leave too little room behind it. */
    private void beforeCommit(SqliteSession session, SqliteTransaction transaction) {
        if (transaction.isRepeated() && transaction.freesRoom()) {
            long growth = growth(session);
            if (growth > 0) {
                // Without this much the log could not be folded afterwards.
                // A new expiry keeps its room in an index, and must leave what removals need.
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

    private void hold(SqliteSession session, long room) {
        try {
            reserve.hold(room);
        } catch (IOException e) {
            if (isFull(e)) {
                throw session.errors().full(e);
            }
            log.debug("The reserve beside {} cannot be written; the commit will show the cause", file.path(), e);
        }
    }

    /** A disk that is full says so in the words of the system; what it has left is asked, too, for they may be in any language. */
    private boolean isFull(IOException e) {
        String message = String.valueOf(e.getMessage());
        return file.usableSpace() < Reserve.BLOCK_BYTES || message.contains("space") || message.contains("quota");
    }

    /** How many bytes the log, with the transaction at hand, will bring into the file. */
    private long growth(SqliteSession session) {
        return Math.max(0, session.pageCount() * pageSize - file.length());
    }

    /**
     * Makes room after a commit was refused for want of it: the log is folded with what is in reserve. For a commit that frees
     * room the reserve stays given up; for others it is taken back first.
     *
     * @return whether to try again
     */
    private boolean make(SqliteSession session, SqliteTransaction refused) {
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
        }
    }

    /** A commit is done, and stays so whatever happens here; called by the writer. */
    void committed(SqliteSession session, long pages) {
        try {
            checkpointer.committed(session, pages);
        } catch (RuntimeException | Error e) {
            noteFailure(e);
        }
    }

    /** What may take long after a commit is done before the next one: readers wait for the end of a commit, as its caller does. */
    void beforeWrite(SqliteSession session) {
        try {
            checkpointer.helpIfDue(session);
            if (checkpointer.isFull()) {
                fold(session);
            }
        } catch (RuntimeException | Error e) {
            noteFailure(e);
        }
    }

    private void noteFailure(Throwable failure) {
        try {
            checkpointer.failed(failure);
        } catch (Error e) {
            // There is no memory for a line in the log. The failure itself has been noted before, for a check to tell.
        }
    }

    /**
     * Throws when the log could not be folded, and still cannot be.
     *
     * @param writer lends the writer's session
     */
    void check(SessionPool writer) {
        if (checkpointer.failure() != null || checkpointer.isHinderedForLong()) {
            boolean unused = writer.with(session -> {
                fold(session);
                return true;
            });
        }
        if (checkpointer.isHinderedForLong()) {
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
            checkpointer.failed(e); // the log may have room left for a removal all the same
            return false;
        }
    }

    /**
     * Closes the connection that folds the log, with the room for that, and keeps the reserve for the next opening.
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
