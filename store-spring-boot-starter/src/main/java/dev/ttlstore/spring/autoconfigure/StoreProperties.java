package dev.ttlstore.spring.autoconfigure;

import java.time.Duration;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.NestedConfigurationProperty;
import org.springframework.util.unit.DataSize;

import dev.ttlstore.Durability;
import dev.ttlstore.UnreadableValues;

/** Configuration properties of the store. */
@ConfigurationProperties("store")
public final class StoreProperties {

    /**
     * File that the store is kept in. A relative path starts at the working directory; missing folders are created.
     */
    private String path = "data/store.db";

    /**
     * Pause between two runs of the purge job. Zero or '-' turns the job off.
     */
    @Interval
    private Duration purgeInterval = Duration.ofSeconds(60);

    /**
     * What reads do with a value that its codec cannot read, as after an incompatible change of its class.
     */
    private UnreadableValues unreadableValues = UnreadableValues.FAIL;

    /**
     * What a write has survived when it returns: 'normal' a killed process, 'full' a power cut as well.
     */
    private Durability durability = Durability.NORMAL;

    /**
     * How long the start waits while another process owns the file. Zero to not wait.
     */
    private Duration lockTimeout = Duration.ofSeconds(5);

    /**
     * Largest value that is accepted, once it is encoded, up to 999,000,000 bytes.
     */
    private DataSize maxValueSize = DataSize.ofMegabytes(1);

    /**
     * How long expired entries are kept, invisible, for an audit. Zero to keep none.
     */
    private Duration retention = Duration.ZERO;

    private final Purge purge = new Purge();

    private final Cache cache = new Cache();

    private final Sqlite sqlite = new Sqlite();

    @NestedConfigurationProperty
    private final ExpiryProperties expiry = new ExpiryProperties();

    /** Creates the properties with their defaults. */
    public StoreProperties() {}

    /**
     * The file that the store is kept in.
     *
     * @return an absolute path, or one that starts at the working directory
     */
    public String getPath() {
        return path;
    }

    /**
     * Sets the file that the store is kept in.
     *
     * @param path the path
     */
    public void setPath(String path) {
        this.path = path;
    }

    /**
     * The pause between two runs of the purge job.
     *
     * @return the pause; zero when the job is off
     */
    public Duration getPurgeInterval() {
        return purgeInterval;
    }

    /**
     * Sets the pause between two runs of the purge job.
     *
     * @param purgeInterval the pause; zero to turn the job off
     */
    public void setPurgeInterval(Duration purgeInterval) {
        this.purgeInterval = purgeInterval;
    }

    /**
     * What reads do with a value that cannot be read.
     *
     * @return the policy
     */
    public UnreadableValues getUnreadableValues() {
        return unreadableValues;
    }

    /**
     * Sets what reads do with a value that cannot be read.
     *
     * @param unreadableValues the policy
     */
    public void setUnreadableValues(UnreadableValues unreadableValues) {
        this.unreadableValues = unreadableValues;
    }

    /**
     * The settings of the purge job.
     *
     * @return the settings
     */
    public Purge getPurge() {
        return purge;
    }

    /**
     * What a write has survived when it returns.
     *
     * @return the level
     */
    public Durability getDurability() {
        return durability;
    }

    /**
     * Sets what a write has survived when it returns.
     *
     * @param durability the level
     */
    public void setDurability(Durability durability) {
        this.durability = durability;
    }

    /**
     * How long the start waits while another process owns the file.
     *
     * @return the wait; zero to not wait
     */
    public Duration getLockTimeout() {
        return lockTimeout;
    }

    /**
     * Sets how long the start waits while another process owns the file.
     *
     * @param lockTimeout the wait; zero to not wait
     */
    public void setLockTimeout(Duration lockTimeout) {
        this.lockTimeout = lockTimeout;
    }

    /**
     * The largest value that is accepted.
     *
     * @return its size once encoded
     */
    public DataSize getMaxValueSize() {
        return maxValueSize;
    }

    /**
     * Sets the largest value that is accepted.
     *
     * @param maxValueSize its size once encoded
     */
    public void setMaxValueSize(DataSize maxValueSize) {
        this.maxValueSize = maxValueSize;
    }

    /**
     * How long expired entries are kept, invisible.
     *
     * @return the time; zero to keep none
     */
    public Duration getRetention() {
        return retention;
    }

    /**
     * Sets how long expired entries are kept, invisible.
     *
     * @param retention the time; zero to keep none
     */
    public void setRetention(Duration retention) {
        this.retention = retention;
    }

    /**
     * The settings of the near cache.
     *
     * @return the settings
     */
    public Cache getCache() {
        return cache;
    }

    /**
     * The settings of the embedded database.
     *
     * @return the settings
     */
    public Sqlite getSqlite() {
        return sqlite;
    }

    /**
     * The settings of what is done when entries expire.
     *
     * @return the settings
     */
    public ExpiryProperties getExpiry() {
        return expiry;
    }

    /** Settings of the purge job. */
    public static final class Purge {

        /**
         * Whether to schedule the purge job. Expiry is exact without it, too: it gives back space and tells of what expired.
         */
        private boolean enabled = true;

        /** Creates the settings with their defaults. */
        public Purge() {}

        /**
         * Whether the purge job is scheduled.
         *
         * @return true if it is
         */
        public boolean isEnabled() {
            return enabled;
        }

        /**
         * Sets whether the purge job is scheduled.
         *
         * @param enabled whether it is
         */
        public void setEnabled(boolean enabled) {
            this.enabled = enabled;
        }
    }

    /** Settings of the near cache. */
    public static final class Cache {

        static final DataSize DEFAULT_MAX_SIZE = DataSize.ofMegabytes(32);

        /**
         * Memory that the near cache may take, up to half of the maximum heap. Zero for no cache. The default is an eighth of
         * the maximum heap where that is less.
         */
        private DataSize maxSize = DataSize.ofMegabytes(32);

        /** Creates the settings with their defaults. */
        public Cache() {}

        /**
         * How much memory the near cache may take.
         *
         * @return the size; zero for no cache
         */
        public DataSize getMaxSize() {
            return maxSize;
        }

        /**
         * Sets how much memory the near cache may take.
         *
         * @param maxSize the size; zero for no cache
         */
        public void setMaxSize(DataSize maxSize) {
            this.maxSize = maxSize;
        }
    }

    /** Settings of the embedded database. */
    public static final class Sqlite {

        /**
         * Number of connections that read at the same time, 1 to 64. By default as many as there are processors, and at
         * least 2.
         */
        private @Nullable Integer readers;

        /**
         * Memory that each connection may take to keep pages of the file, 64KB to 1GB.
         */
        private DataSize pageCacheSize = DataSize.ofMegabytes(16);

        /**
         * How much of the file is mapped into memory. Zero for nothing, since an I/O error in a mapped file ends the JVM.
         */
        private DataSize mmapSize = DataSize.ofBytes(0);

        /**
         * Size of the write-ahead log, at least 1MB, beyond which a writer helps to fold it into the file.
         */
        private DataSize walLimit = DataSize.ofMegabytes(64);

        /** Creates the settings with their defaults. */
        public Sqlite() {}

        /**
         * How many connections read at the same time.
         *
         * @return the number; null for as many as there are processors
         */
        public @Nullable Integer getReaders() {
            return readers;
        }

        /**
         * Sets how many connections read at the same time.
         *
         * @param readers the number; null for as many as there are processors
         */
        public void setReaders(@Nullable Integer readers) {
            this.readers = readers;
        }

        /**
         * How much memory each connection may take to keep pages of the file.
         *
         * @return the size
         */
        public DataSize getPageCacheSize() {
            return pageCacheSize;
        }

        /**
         * Sets how much memory each connection may take to keep pages of the file.
         *
         * @param pageCacheSize the size
         */
        public void setPageCacheSize(DataSize pageCacheSize) {
            this.pageCacheSize = pageCacheSize;
        }

        /**
         * How much of the file is mapped into memory.
         *
         * @return the size; zero for nothing
         */
        public DataSize getMmapSize() {
            return mmapSize;
        }

        /**
         * Sets how much of the file is mapped into memory.
         *
         * @param mmapSize the size; zero for nothing
         */
        public void setMmapSize(DataSize mmapSize) {
            this.mmapSize = mmapSize;
        }

        /**
         * The size of the write-ahead log beyond which a writer helps to fold it into the file.
         *
         * @return the size
         */
        public DataSize getWalLimit() {
            return walLimit;
        }

        /**
         * Sets the size of the write-ahead log beyond which a writer helps to fold it into the file.
         *
         * @param walLimit the size
         */
        public void setWalLimit(DataSize walLimit) {
            this.walLimit = walLimit;
        }
    }
}
