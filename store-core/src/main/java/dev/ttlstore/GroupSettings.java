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
 * @param eventValues whether each {@code EntryPut} of the group has its value, for all listeners and watches
 */
public record GroupSettings(@Nullable Duration ttl, boolean statistics, boolean eventValues) {

    private static final GroupSettings DEFAULTS = new GroupSettings(null, false, false);

    /**
     * Checks the settings.
     *
     * @param ttl the default ttl; null for entries that do not expire
     * @param statistics whether the group is counted separately
     * @param eventValues whether the events of the group have their values
     * @throws IllegalArgumentException if the ttl is zero, negative, or above 146 million years
     */
    public GroupSettings {
        if (ttl != null) {
            long unused = Millis.ofTtl(ttl, "ttl");
        }
    }

    /**
     * Returns the default settings: no ttl, not counted separately, and events without values.
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
        return new GroupSettings(newTtl, statistics, eventValues);
    }

    /**
     * Returns settings with or without separate statistics.
     *
     * @param counted whether the group is counted separately
     * @return the changed settings
     */
    public GroupSettings withStatistics(boolean counted) {
        return new GroupSettings(ttl, counted, eventValues);
    }

    /**
     * Returns settings with or without values in events.
     *
     * @param published whether each {@code EntryPut} of the group has its value, for all listeners and watches. Values
     *     may be secrets
     * @return the changed settings
     */
    public GroupSettings withEventValues(boolean published) {
        return new GroupSettings(ttl, statistics, published);
    }
}
