package dev.ttlstore.spring.autoconfigure;

import java.time.Duration;

import org.springframework.boot.context.properties.ConfigurationProperties;

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

    private final Purge purge = new Purge();

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
}
