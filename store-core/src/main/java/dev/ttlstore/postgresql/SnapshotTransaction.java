package dev.ttlstore.postgresql;

import java.sql.SQLException;

/** The transaction in which a snapshot reads: one of the store, or one of the application. Used by one thread. */
interface SnapshotTransaction {

    /** Returns its connection, which is given back with the snapshot. */
    Connections.Borrowed connection();

    /** Adds what comes before the first read. */
    Script begin(Script script);

    /** Translates what went wrong in a read. */
    RuntimeException translate(SQLException e);

    /** Makes a time final in a slot, because the caller learns that something has expired by it. */
    void settle(SeenSlot slot, long time);

    /** Tests whether it sees what was committed since it has begun. */
    boolean seesLaterCommits();

    /** Returns a number for a write. */
    long nextNumber(SeenSlot slot);
}
