package dev.ttlstore.engine;

import java.nio.file.Path;

import org.jspecify.annotations.Nullable;

/**
 * What an engine is.
 *
 * @param name the engine and its version, for people, such as {@code SQLite 3.53.2}
 * @param path the absolute path of its file; null if it has no file
 * @param exclusive whether this process alone writes the data, so that committed rows may be cached
 */
public record EngineInfo(String name, @Nullable Path path, boolean exclusive) {

    /**
     * Tests whether other processes may write the data, too.
     *
     * @return whether it is not exclusive
     */
    public boolean isShared() {
        return !exclusive;
    }
}
