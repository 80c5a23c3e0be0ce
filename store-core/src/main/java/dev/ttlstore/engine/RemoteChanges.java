package dev.ttlstore.engine;

import java.util.List;

/**
 * Receives what other processes have committed to the same data. An engine calls it in the order of the commits, one call at a
 * time, from any thread. Every method returns at once.
 */
public interface RemoteChanges {

    /**
     * Reports changes.
     *
     * @param changes the changes of one or more commits, in commit order
     */
    void changed(List<LoggedChange> changes);

    /** Reports that deliveries were recorded, released by a process, or have become due otherwise. */
    void deliveriesRecorded();

    /**
     * Reports that an entry expires before a time of which this process may not know.
     *
     * @param time the expiry, in milliseconds since the epoch
     */
    void dueBefore(long time);

    /**
     * Reports that changes were missed, for instance because the connection was lost for too long.
     *
     * @param sequence the sequence number from which changes may be missing
     */
    void lost(long sequence);
}
