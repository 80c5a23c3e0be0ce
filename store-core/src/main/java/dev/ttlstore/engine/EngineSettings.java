package dev.ttlstore.engine;

import java.nio.file.Path;
import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * What a store asks of its engine.
 *
 * @param path the file to keep the store in; null for one in memory
 * @param syncCommits whether each commit must have reached the disk when it returns
 * @param lockTimeout how long to wait for another process that holds the file; zero to not wait
 */
public record EngineSettings(@Nullable Path path, boolean syncCommits, Duration lockTimeout) {}
