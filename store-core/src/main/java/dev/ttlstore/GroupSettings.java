package dev.ttlstore;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.engine.Millis;

/**
 * What differs for one group: {@code GroupSettings.defaults().withTtl(Duration.ofMinutes(30))}.
 *
 * @param ttl how long entries live that are written without a ttl, more than zero; null if they live for good.
 *     {@code persist} makes an entry permanent all the same, and {@code update} and {@code increment} keep the expiry that
 *     stands
 * @param statistics whether the group is counted by itself in {@link StoreActivity#groups}
 */
public record GroupSettings(@Nullable Duration ttl, boolean statistics) {

    private static final GroupSettings DEFAULTS = new GroupSettings(null, false);

    /**
     * Checks the settings.
     *
     * @param ttl how long entries live that are written without a ttl; null if they live for good
     * @param statistics whether the group is counted by itself
     * @throws IllegalArgumentException if the ttl is zero, negative, or longer than time itself
     */
    public GroupSettings {
        if (ttl != null) {
            long unused = Millis.ofTtl(ttl, "ttl");
        }
    }

    /**
     * No ttl, and not counted by itself.
     *
     * @return the settings that groups have unless others are given
     */
    public static GroupSettings defaults() {
        return DEFAULTS;
    }

    /**
     * Another ttl.
     *
     * @param newTtl how long entries live that are written without a ttl, more than zero; null if they live for good
     * @return settings with it
     * @throws IllegalArgumentException if the ttl is zero, negative, or longer than time itself
     */
    public GroupSettings withTtl(@Nullable Duration newTtl) {
        return new GroupSettings(newTtl, statistics);
    }

    /**
     * Counted by itself, or not.
     *
     * @param counted whether the group is
     * @return settings with it
     */
    public GroupSettings withStatistics(boolean counted) {
        return new GroupSettings(ttl, counted);
    }
}
