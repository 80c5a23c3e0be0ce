package dev.ttlstore.engine;

import java.nio.file.Path;

import org.jspecify.annotations.Nullable;

/**
 * What an engine is, in words for people.
 *
 * @param name the engine and its version, such as {@code SQLite 3.53.2}
 * @param path the absolute path of the file that it keeps; null when there is no file
 */
public record EngineInfo(String name, @Nullable Path path) {}
