package dev.ttlstore.engine;

import java.nio.file.Path;

/**
 * The embedded engine, behind the shortcuts {@code path} and {@code inMemory} of a store's builder. It is found by
 * {@link java.util.ServiceLoader}, so that the builder names no engine.
 *
 * @since 0.1
 */
public interface EngineProvider {

    /**
     * Keeps the data in a file, with default settings.
     *
     * @param path the file
     * @return the factory
     */
    EngineFactory file(Path path);

    /**
     * Keeps the data in memory.
     *
     * @return the factory
     */
    EngineFactory inMemory();
}
