package dev.ttlstore.sqlite;

import java.nio.file.Path;
import java.time.Duration;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.engine.EngineSettings;

/**
 * The settings of an open engine.
 *
 * @param asked what the store asks of every engine
 * @param options what {@link Sqlite} adds
 */
record SqliteSettings(EngineSettings asked, Options options) {

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
        return !options.reclaimAfter.isZero();
    }

    /** Returns how many pages of a size the WAL may have before the writer checkpoints it. */
    int maxFrames(long pageSize) {
        return (int) Math.min(Integer.MAX_VALUE, Math.max(1, options.walLimit / pageSize));
    }

    /**
     * The settings of {@link Sqlite}, which have defaults. They are changed in a copy only, before anybody else gets it. Sizes are in
     * bytes.
     */
    static final class Options {

        /** How many connections read. */
        int readers = DEFAULT_READERS;

        /** How much of the file each connection keeps in memory. */
        long pageCacheSize = 16 * 1024 * 1024;

        /** How much of the file is mapped into memory; zero for nothing. */
        long mmapSize;

        /** The size of the log at which a writer helps to checkpoint it. */
        long walLimit = 64 * 1024 * 1024;

        /** Whether a file of another layout is copied before it is migrated. */
        boolean copyBeforeMigration;

        /** How long pages of the file must stay free before they are given back; zero to give none back. */
        Duration reclaimAfter = DEFAULT_RECLAIM_AFTER;

        /** Whether another program checkpoints the log, and not the engine. */
        boolean externalCheckpoints;

        /** How often the writer checks that its file is still in its place. */
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

        @Override
        public String toString() {
            return "readers=" + readers + ", pageCacheSize=" + pageCacheSize + ", mmapSize=" + mmapSize + ", walLimit="
                    + walLimit + ", copyBeforeMigration=" + copyBeforeMigration + ", reclaimAfter=" + reclaimAfter
                    + ", externalCheckpoints=" + externalCheckpoints
                    + (backups == null ? "" : ", restoreFrom=" + backups);
        }
    }
}
