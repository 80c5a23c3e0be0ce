package dev.ttlstore.sqlite;

import java.io.IOException;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.ttlstore.StoreException;
import dev.ttlstore.StoreFullException;

/**
 * Keeps a full disk from being a trap. What is in the log needs room in the file, too, before the log gives any back, and even
 * a removal adds to the log first. So a {@link Reserve} holds as much room as the log will bring into the file, and some more
 * for removals. A commit that cannot have this held is refused, unless it frees room.
 *
 * <p>Used by the writer alone, and by whoever opens and closes the engine.
 */
final class Room {

    private static final Logger log = LoggerFactory.getLogger(Room.class);

    /** Of the table and its indexes, with those that they are balanced with. */
    private static final int PAGES_PER_REMOVAL = 16;

    private final StoreFile file;
    private final Reserve reserve;
    private final Checkpointer checkpointer;
    private final long pageSize;

    /** Pages that may be written, more or less, before it is looked how much the log brings into the file. */
    private final long pagesPerLook;

    private long pagesSinceLook;

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

    /** Refuses a commit, with what it has written so far, that would leave too little room behind it. */
    void beforeCommit(SqliteSession session, SqliteTransaction transaction) {
        boolean frees = transaction.freesRoom();
        if (transaction.isRepeated() && frees) {
            return;
        }
        pagesSinceLook += transaction.pages();
        if (pagesSinceLook >= pagesPerLook || transaction.movesRows() || reserve.isGivenUp()) {
            hold(session);
        }
    }

    private void hold(SqliteSession session) {
        try {
            reserve.hold(growth(session));
            pagesSinceLook = 0;
        } catch (IOException e) {
            if (isFull(e)) {
                throw session.errors().full(e);
            }
            log.debug(
                    "The reserve beside {} cannot be written; the commit finds out itself what is wrong",
                    file.path(),
                    e);
        }
    }

    /** A disk that is full says so in the words of the system; what it has left is asked, too, for they may be in any language. */
    private boolean isFull(IOException e) {
        String message = String.valueOf(e.getMessage());
        return file.usableSpace() < Reserve.BLOCK_BYTES || message.contains("space") || message.contains("quota");
    }

    /** How many bytes the log, with the transaction at hand, will bring into the file. */
    private long growth(SqliteSession session) {
        return Math.max(0, session.pageCount() * pageSize - file.sizes().file());
    }

    /**
     * Makes room after a commit was refused for want of it: the log is folded with what is in reserve. For a commit that frees
     * room the reserve stays given up; for others it is taken back first.
     *
     * @return whether to try again
     */
    boolean make(SqliteSession session, SqliteTransaction refused) {
        boolean frees = refused.freesRoom();
        boolean more = reserve.giveUp();
        boolean folded = emptyLog(session);
        if (!frees) {
            tryToHold(session);
        }
        return frees || more || folded;
    }

    /** How many rows a commit may remove with what is in reserve, whichever pages they are on. */
    int rowsAtOnce() {
        return (int) Math.max(1, reserve.base() / pageSize / PAGES_PER_REMOVAL);
    }

    /** Runs a commit with the room that was made, which is taken back behind it. */
    <R extends @Nullable Object> R sparingly(SqliteSession session, Supplier<R> commit) {
        try {
            return commit.get();
        } finally {
            emptyLog(session);
            tryToHold(session);
        }
    }

    private void tryToHold(SqliteSession session) {
        try {
            hold(session);
        } catch (StoreFullException e) {
            log.debug(
                    "The disk of the store {} is full; until there is room only what frees some is done",
                    file.path(),
                    e);
        }
    }

    /** A commit is done, and stays so whatever happens here; called by the writer. */
    void committed(SqliteSession session, long pages) {
        try {
            checkpointer.committed(session, pages);
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

    /** Folds the log with the room that is held for it, and throws when that cannot be done. */
    void fold(SqliteSession session) {
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
            reserve.hold(0);
        } catch (IOException e) {
            log.debug("The disk of the store {} is full; it was closed without its reserve", file.path(), e);
        } finally {
            reserve.close();
        }
    }
}
