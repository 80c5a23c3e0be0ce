package dev.ttlstore.engine;

import java.nio.file.Path;

import org.jspecify.annotations.Nullable;

/**
 * What an engine is.
 *
 * @param name the engine and its version, for people, such as {@code SQLite 3.53.2}
 * @param path the absolute path of its file; null if it has no file
 * @param exclusive whether this process alone writes the data, so that committed rows may be cached
 * @param commits how many commits of requests may be under way at the same time; 1 if the data are exclusive
 * @since 0.1
 */
public record EngineInfo(String name, @Nullable Path path, boolean exclusive, int commits) {

    /**
     * Describes an engine of one process, which makes one commit after the other.
     *
     * @param name the engine and its version, for people
     * @param path the absolute path of its file; null if it has no file
     * @return what it is
     */
    public static EngineInfo exclusive(String name, @Nullable Path path) {
        return new EngineInfo(name, path, true, 1);
    }

    /**
     * Tests whether other processes may write the data, too.
     *
     * @return whether it is not exclusive
     */
    public boolean isShared() {
        return !exclusive;
    }
}
