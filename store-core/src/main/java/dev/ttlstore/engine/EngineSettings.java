package dev.ttlstore.engine;

import java.time.Duration;

/**
 * What a store asks of its engine, whichever it is. Settings of one engine alone belong to its {@link EngineFactory}.
 *
 * @param syncCommits whether each commit must have reached the disk when it returns
 * @param lockTimeout how long opening waits while another process owns the data; zero to not wait
 */
public record EngineSettings(boolean syncCommits, Duration lockTimeout) {}
