package dev.ttlstore.sqlite;

import java.nio.file.Path;
import java.time.Duration;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.engine.EngineSettings;

/**
 * The settings of an open engine: what the store asks of every engine, and what {@link Sqlite} adds. Sizes are in
 * bytes.
 *
 * @param asked what the store asks of every engine
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
        EngineSettings asked,
        int readers,
        long pageCacheSize,
        long mmapSize,
        long walLimit,
        boolean copyBeforeMigration,
        Duration reclaimAfter,
        boolean externalCheckpoints,
        Duration lookEvery) {

    static final int MAX_READERS = 64;

    /**
     * One reader per core, because a read uses a processor and does not wait; at least two, so that one read never
     * blocks all others.
     */
    private static final int DEFAULT_READERS =
            Math.min(MAX_READERS, Math.max(2, Runtime.getRuntime().availableProcessors()));

    private static final Duration DEFAULT_RECLAIM_AFTER = Duration.ofMinutes(1);

    private static final Duration DEFAULT_LOOK_EVERY = Duration.ofSeconds(1);

    /** Tests whether pages that stay free are given back to the disk. */
    boolean reclaims() {
        return !reclaimAfter.isZero();
    }

    /** Returns how many pages of a size the WAL may have before the writer checkpoints it. */
    int maxFrames(long pageSize) {
        return (int) Math.min(Integer.MAX_VALUE, Math.max(1, walLimit / pageSize));
    }

    /** The settings of {@link Sqlite}, which have defaults. They are changed in a copy only, before anybody else gets it. */
    static final class Options {
        int readers = DEFAULT_READERS;
        long pageCacheSize = 16 * 1024 * 1024;
        long mmapSize;
        long walLimit = 64 * 1024 * 1024;
        boolean copyBeforeMigration;
        Duration reclaimAfter = DEFAULT_RECLAIM_AFTER;
        boolean externalCheckpoints;
        Duration lookEvery = DEFAULT_LOOK_EVERY;

        /** From which backup, or from a folder of backups, a missing file is restored; null for none. */
        @Nullable
        Path backups;

        Options() {}

        Options(Options other) {
            readers = other.readers;
            pageCacheSize = other.pageCacheSize;
            mmapSize = other.mmapSize;
            walLimit = other.walLimit;
            copyBeforeMigration = other.copyBeforeMigration;
            reclaimAfter = other.reclaimAfter;
            externalCheckpoints = other.externalCheckpoints;
            lookEvery = other.lookEvery;
            backups = other.backups;
        }

        SqliteSettings with(EngineSettings asked) {
            return new SqliteSettings(
                    asked,
                    readers,
                    pageCacheSize,
                    mmapSize,
                    walLimit,
                    copyBeforeMigration,
                    reclaimAfter,
                    externalCheckpoints,
                    lookEvery);
        }

        @Override
        public String toString() {
            return "readers=" + readers + ", pageCacheSize=" + pageCacheSize + ", mmapSize=" + mmapSize + ", walLimit="
                    + walLimit + ", copyBeforeMigration=" + copyBeforeMigration + ", reclaimAfter=" + reclaimAfter
                    + ", externalCheckpoints=" + externalCheckpoints
                    + (backups == null ? "" : ", restoreFrom=" + backups);
        }
    }
}
