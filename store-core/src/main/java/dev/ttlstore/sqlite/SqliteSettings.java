package dev.ttlstore.sqlite;

import java.time.Duration;
import java.time.InstantSource;
import java.util.Set;

/**
 * The settings of an open engine: what the store asks of every engine, and what {@link Sqlite} adds. Sizes are in
 * bytes.
 *
 * @param syncCommits whether each commit must be on the disk when it returns
 * @param lockTimeout how long opening waits while another process owns the file; zero for no wait
 * @param clock the source of time
 * @param ageIndexes the groups with an age index, by full name
 * @param readers how many connections read
 * @param pageCacheSize how much of the file each connection keeps in memory
 * @param mmapSize how much of the file is mapped into memory; zero for nothing
 * @param walLimit the size of the log at which a writer helps to checkpoint it
 * @param copyBeforeMigration whether a file of another layout is copied before it is migrated
 * @param reclaimAfter how long pages of the file must stay free before they are given back; zero to give none back
 * @param externalCheckpoints whether another program checkpoints the log, and not the engine
 * @param lookEvery how often the writer checks that its file is still in its place
 */
record SqliteSettings(
        boolean syncCommits,
        Duration lockTimeout,
        InstantSource clock,
        Set<String> ageIndexes,
        int readers,
        long pageCacheSize,
        long mmapSize,
        long walLimit,
        boolean copyBeforeMigration,
        Duration reclaimAfter,
        boolean externalCheckpoints,
        Duration lookEvery) {

    /** Tests whether pages that stay free are given back to the disk. */
    boolean reclaims() {
        return !reclaimAfter.isZero();
    }
}
