package dev.ttlstore.engine;

import java.nio.file.Path;
import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * What a store asks of its engine. Sizes are in bytes.
 *
 * @param path the file to keep the store in; null for one in memory
 * @param syncCommits whether each commit must have reached the disk when it returns
 * @param lockTimeout how long to wait for another process that holds the file; zero to not wait
 * @param readers how many connections read
 * @param pageCacheSize how much of the file each connection keeps in memory
 * @param mmapSize how much of the file is read by mapping it into memory; zero for nothing
 * @param walLimit the size of the log beyond which a writer helps to fold it into the file
 */
public record EngineSettings(
        @Nullable Path path,
        boolean syncCommits,
        Duration lockTimeout,
        int readers,
        long pageCacheSize,
        long mmapSize,
        long walLimit) {

    /** The most connections that may read. */
    public static final int MAX_READERS = 64;

    /** As many readers as cores, for a read is work in native code and not a wait; two, so that one never bars another. */
    public static final int DEFAULT_READERS =
            Math.min(MAX_READERS, Math.max(2, Runtime.getRuntime().availableProcessors()));

    /** Unless a store asks for another: 16 MiB. */
    public static final long DEFAULT_PAGE_CACHE_SIZE = 16L * 1024 * 1024;

    /** Unless a store asks for another: 64 MiB. */
    public static final long DEFAULT_WAL_LIMIT = 64L * 1024 * 1024;

    /**
     * Asks for what matters most, and for the defaults beside it.
     *
     * @param path the file to keep the store in; null for one in memory
     * @param syncCommits whether each commit must have reached the disk when it returns
     * @param lockTimeout how long to wait for another process that holds the file; zero to not wait
     */
    public EngineSettings(@Nullable Path path, boolean syncCommits, Duration lockTimeout) {
        this(path, syncCommits, lockTimeout, DEFAULT_READERS, DEFAULT_PAGE_CACHE_SIZE, 0, DEFAULT_WAL_LIMIT);
    }
}
