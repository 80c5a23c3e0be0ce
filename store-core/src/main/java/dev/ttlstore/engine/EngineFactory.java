package dev.ttlstore.engine;

/**
 * Opens one engine: the public face of an engine's package, which says where the data lives and carries the settings that only
 * this engine has. Immutable, so one factory can be shared; most can open only one engine at a time.
 */
public interface EngineFactory {

    /**
     * Opens the engine, verifies the data that it finds, and creates what is missing.
     *
     * @param settings what the store asks of any engine
     * @return the engine, to be closed by the caller
     */
    Engine open(EngineSettings settings);
}
