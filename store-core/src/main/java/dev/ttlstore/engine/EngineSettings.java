package dev.ttlstore.engine;

import java.time.Duration;
import java.time.InstantSource;

/**
 * What a store asks of its engine, whichever it is. Settings of one engine alone belong to its {@link EngineFactory}.
 *
 * @param syncCommits whether each commit must have reached the disk when it returns
 * @param lockTimeout how long opening waits while another process owns the data; zero to not wait
 * @param clock the source of time; an engine with several owners may use the time of its server instead
 */
public record EngineSettings(boolean syncCommits, Duration lockTimeout, InstantSource clock) {}
