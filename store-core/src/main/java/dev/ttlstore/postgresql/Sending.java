package dev.ttlstore.postgresql;

import java.sql.SQLException;
import java.util.List;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.postgresql.LogRow.Sent;

/** The end of a commit: what it sends to the server, and what it learns from the answer. Used by one thread. */
interface Sending {

    /** Prepares what is to be sent; returns null if the commit has written nothing. */
    @Nullable
    Sent prepare();

    /**
     * Sends it. When it returns, it is committed.
     *
     * @throws dev.ttlstore.engine.ConflictException if something has changed since it was read; nothing was committed
     */
    void send() throws SQLException;

    /**
     * Asks again for what the answer has told, after the answer of a commit that was made was lost.
     *
     * @throws dev.ttlstore.engine.ConflictException if it cannot be asked again, but the commit may be made once more
     * @throws dev.ttlstore.exception.OutcomeUnknownException if there is no answer
     */
    void ask();

    /** Whether it has stored what was sent, if it was not refused. */
    default boolean hasStored() {
        return true;
    }

    /** Returns the commits of others that came before this one in the log of its slots. */
    List<LogRow> news();

    /** Whether the commit has decided under locks. */
    boolean isLocked();
}
