package dev.ttlstore.sqlite;

import java.nio.file.Path;
import java.time.Duration;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.engine.EngineSettings;
import dev.ttlstore.exception.StoreException;

/**
 * The settings of an open engine.
 *
 * @param asked what the store asks of every engine
 * @param options what {@link Sqlite} adds
 */
record SqliteSettings(EngineSettings asked, Options options) {

    static final int MAX_READERS = 64;

    /** How long to wait for the other program that makes the checkpoints: it keeps writers out while it empties a long WAL. */
    private static final int CHECKPOINT_MILLIS = 30_000;

    /**
     * One reader per core, because a read uses a processor and does not wait; at least two, so that one read never
     * blocks all others.
     */
    private static final int DEFAULT_READERS =
            Math.min(MAX_READERS, Math.max(2, Runtime.getRuntime().availableProcessors()));

    private static final Duration DEFAULT_RECLAIM_AFTER = Duration.ofMinutes(1);

    private static final Duration DEFAULT_LOOK_EVERY = Duration.ofSeconds(1);

    /** What a session is used for, which determines its pragmas. */
    enum Role {
        WRITER,
        READER,
        MEMORY
    }

    /** Tests whether pages that stay free are given back to the disk. */
    boolean reclaims() {
        return !options.reclaimAfter.isZero();
    }

    /** Returns how many pages of a size the WAL may have before the writer checkpoints it. */
    int maxFrames(long pageSize) {
        return (int) Math.min(Integer.MAX_VALUE, Math.max(1, options.walLimit / pageSize));
    }

    /** Sets the pragmas of a session, which apply to one connection only, and reads those back that a guarantee depends on. */
    void configure(SqliteSession session, Role role) {
        if (role != Role.MEMORY) {
            String synchronous = asked.syncCommits() ? "2" : "1";
            // Readers see the last commit and never wait for the writer.
            require(session, "journal_mode", "WAL", "wal");
            // In WAL mode 1 (normal) survives a killed process, 2 (full) waits for the disk at each commit.
            require(session, "synchronous", synchronous, synchronous);
            // After a burst of writes, the WAL gives its room back.
            session.pragma("journal_size_limit = " + options.walLimit);
            // The checkpointer does this, so that no commit has to.
            session.stopCheckpoints();
            if (options.externalCheckpoints) {
                session.waitFor(CHECKPOINT_MILLIS);
            }
            session.pragma("cache_size = -" + options.pageCacheSize / 1024);
            session.pragma("mmap_size = " + options.mmapSize);
        }
        if (role == Role.READER) {
            require(session, "query_only", "1", "1");
        } else {
            // Deleted data are overwritten, unless that costs another page write.
            require(session, "secure_delete", "FAST", "2");
        }
        // Damage within a page is detected when the page is read.
        require(session, "cell_size_check", "1", "1");
        // A foreign file must not run functions through its schema.
        require(session, "trusted_schema", "0", "0");
        session.pragma("temp_store = MEMORY");
    }

    /** Sets a pragma, and reads it back, because a guarantee depends on it. */
    private static void require(SqliteSession session, String pragma, String value, String expected) {
        session.pragma(pragma + " = " + value);
        String actual = session.pragma(pragma);
        if (!expected.equals(actual)) {
            throw new StoreException("SQLite did not accept the setting " + pragma + " = " + value + " for the store "
                    + session.errors().location() + " (it says '" + actual
                    + "'); is the file on an ordinary local disk?");
        }
    }

    /**
     * The settings of {@link Sqlite}, which have defaults. They are changed in a copy only, before anybody else gets it. Sizes are in
     * bytes.
     */
    static final class Options implements Cloneable {

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

        Options copy() {
            try {
                return (Options) clone();
            } catch (CloneNotSupportedException e) {
                throw new AssertionError(e);
            }
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
