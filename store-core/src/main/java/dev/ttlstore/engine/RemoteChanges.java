package dev.ttlstore.engine;

import java.util.List;

/**
 * Receives what other processes have committed to the same data. An engine calls it in the order of the commits, one call at a
 * time, from any thread. Every method returns at once.
 *
 * @since 0.1
 */
public interface RemoteChanges {

    /**
     * Reports changes.
     *
     * @param changes the changes of one or more commits, in commit order
     */
    default void changed(List<Change> changes) {
        heldBack(changes); // first: who gets the event and then reads must not find the old row
        released(changes);
    }

    /**
     * Tests whether events may be reported. If not, the engine holds them back, and reports them later from its log.
     *
     * @return false while too many wait for listeners
     */
    boolean hasRoom();

    /**
     * Reports changes whose events are held back.
     *
     * @param changes the changes, as in {@link #changed}
     */
    void heldBack(List<Change> changes);

    /**
     * Reports the events of changes that were held back.
     *
     * @param changes the changes, as in {@link #changed}; after each other, they are in commit order
     */
    void released(List<Change> changes);

    /**
     * Reports that events which were held back will not be reported. What has changed is known.
     *
     * @param sequence the sequence number from which events may be missing
     */
    void unreported(long sequence);

    /**
     * Reports what this process may have to do soon.
     *
     * @param dueBefore an entry expires before this time, in milliseconds since the epoch; {@link Row#NEVER} if none is new
     * @param recorded whether deliveries were recorded, released by a process, or have become due otherwise
     */
    void wake(long dueBefore, boolean recorded);

    /**
     * Reports that changes were missed, for instance because the connection was lost for too long.
     *
     * @param sequence the sequence number from which changes may be missing
     */
    void lost(long sequence);
}
