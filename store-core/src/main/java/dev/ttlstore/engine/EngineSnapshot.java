package dev.ttlstore.engine;

/**
 * The data as a transaction sees them while it runs, before anything of it is stored. Reads see one moment. A version that a
 * snapshot hands out may be shown to users, so it is not used again even if the process dies. A snapshot that commits much later
 * may hand out negative numbers, which no row ever gets; its commit draws others. Used by one thread, and closed by it.
 *
 * @since 0.1
 */
public interface EngineSnapshot extends EngineView, AutoCloseable {

    /** Releases what the snapshot holds. What it has read can still be validated. */
    @Override
    void close();
}
