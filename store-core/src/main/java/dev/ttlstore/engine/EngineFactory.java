package dev.ttlstore.engine;

/**
 * Opens one engine: the public face of an engine's package, which says where the data lives and carries the settings that only
 * this engine has. Immutable, so one factory can be shared; most can open only one engine at a time.
 *
 * @since 0.1
 */
public interface EngineFactory {

    /**
     * Opens the engine, verifies the data that it finds, and creates what is missing.
     *
     * @param settings what the store asks of any engine
     * @return the engine, to be closed by the caller
     */
    Engine open(EngineSettings settings);

    /**
     * Opens existing data to copy them. Nothing is created, and nobody else should use the data meanwhile.
     *
     * @param settings what a store would ask; age indexes stay as they are
     * @return the data, to be closed by the caller
     * @throws UnsupportedOperationException if the engine cannot be copied; the default
     */
    default CopySource openSource(EngineSettings settings) {
        throw new UnsupportedOperationException(this + " cannot be copied");
    }

    /**
     * Opens data to copy another store into them, and creates what is missing. Unlike {@link #open}, accepts an unfinished copy.
     *
     * @param settings what a store would ask; age indexes are made when a store is opened
     * @return the data, to be closed by the caller
     * @throws UnsupportedOperationException if nothing can be copied into the engine; the default
     */
    default CopyTarget openTarget(EngineSettings settings) {
        throw new UnsupportedOperationException("Nothing can be copied into " + this);
    }
}
