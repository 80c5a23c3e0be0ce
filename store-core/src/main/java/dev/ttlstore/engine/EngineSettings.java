package dev.ttlstore.engine;

import java.time.Duration;
import java.time.InstantSource;
import java.util.Set;

/**
 * What a store asks of its engine, whichever it is. Settings of one engine alone belong to its {@link EngineFactory}.
 *
 * @param syncCommits whether each commit must have reached the disk when it returns
 * @param lockTimeout how long opening waits while another process owns the data; zero to not wait
 * @param clock the source of time; an engine with several owners may use the time of its server instead
 * @param ageIndexes the groups whose rows are found by their creation, by full name. Opening indexes the rows that a group
 *     has from before
 * @since 0.1
 */
public record EngineSettings(boolean syncCommits, Duration lockTimeout, InstantSource clock, Set<String> ageIndexes) {

    /**
     * Copies the groups.
     *
     * @param syncCommits whether each commit must have reached the disk when it returns
     * @param lockTimeout how long opening waits while another process owns the data
     * @param clock the source of time
     * @param ageIndexes the groups whose rows are found by their creation, by full name
     */
    public EngineSettings {
        ageIndexes = Set.copyOf(ageIndexes);
    }

    /**
     * Creates settings for an engine that finds no rows by their creation.
     *
     * @param syncCommits whether each commit must have reached the disk when it returns
     * @param lockTimeout how long opening waits while another process owns the data
     * @param clock the source of time
     */
    public EngineSettings(boolean syncCommits, Duration lockTimeout, InstantSource clock) {
        this(syncCommits, lockTimeout, clock, Set.of());
    }
}
