package dev.ttlstore;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.engine.Millis;

/**
 * Settings of one group: {@code GroupSettings.defaults().withTtl(Duration.ofMinutes(30))}.
 *
 * @param ttl the default ttl of entries that are written without one, more than zero; null for entries that do not
 *     expire. {@code persist} makes an entry permanent regardless, and {@code update} and {@code increment} keep the
 *     expiry of an existing entry
 * @param statistics whether the group is counted separately in {@link StoreActivity#groups}
 */
public record GroupSettings(@Nullable Duration ttl, boolean statistics) {

    private static final GroupSettings DEFAULTS = new GroupSettings(null, false);

    /**
     * Checks the settings.
     *
     * @param ttl the default ttl; null for entries that do not expire
     * @param statistics whether the group is counted separately
     * @throws IllegalArgumentException if the ttl is zero, negative, or above 146 million years
     */
    public GroupSettings {
        if (ttl != null) {
            long unused = Millis.ofTtl(ttl, "ttl");
        }
    }

    /**
     * Returns the default settings: no ttl, and not counted separately.
     *
     * @return the settings
     */
    public static GroupSettings defaults() {
        return DEFAULTS;
    }

    /**
     * Returns settings with another ttl.
     *
     * @param newTtl the default ttl of entries that are written without one, more than zero; null for entries that do
     *     not expire
     * @return the changed settings
     * @throws IllegalArgumentException if the ttl is zero, negative, or above 146 million years
     */
    public GroupSettings withTtl(@Nullable Duration newTtl) {
        return new GroupSettings(newTtl, statistics);
    }

    /**
     * Returns settings with or without separate statistics.
     *
     * @param counted whether the group is counted separately
     * @return the changed settings
     */
    public GroupSettings withStatistics(boolean counted) {
        return new GroupSettings(ttl, counted);
    }
}
