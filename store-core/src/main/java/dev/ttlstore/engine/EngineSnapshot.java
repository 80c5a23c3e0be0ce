package dev.ttlstore.engine;

/**
 * The data as a transaction sees them while it runs, before anything of it is stored. Reads see one moment. A version that a
 * snapshot hands out may be shown to users, so it is not used again even if the process dies. Used by one thread, and closed by
 * it.
 *
 * @since 0.1
 */
public interface EngineSnapshot extends EngineView, AutoCloseable {

    /**
     * Tests whether no row ever gets the sequence numbers of the snapshot, because it commits much later. The commit then draws others.
     *
     * @return whether they are provisional
     */
    default boolean isProvisional() {
        return false;
    }

    /** Releases what the snapshot holds. What it has read can still be validated. */
    @Override
    void close();
}
