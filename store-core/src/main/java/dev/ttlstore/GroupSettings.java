package dev.ttlstore;

import java.time.Duration;
import java.time.Instant;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.engine.Millis;

/**
 * Settings of one group: {@code GroupSettings.defaults().withTtl(Duration.ofMinutes(30))}.
 *
 * <pre>{@code
 * Store store = Store.builder()
 *         .path(Path.of("app.db"))
 *         .group("sessions", GroupSettings.defaults().withTtl(Duration.ofMinutes(30)).withMaxAge(Duration.ofDays(1)))
 *         .open();
 * }</pre>
 *
 * @param ttl the default ttl of entries that are written without one, more than zero; null for entries that do not
 *     expire. {@code persist} makes an entry permanent regardless, and {@code update} and {@code increment} keep the
 *     expiry of an existing entry
 * @param statistics whether the group is counted separately in {@link StoreActivity#groups}
 * @param eventValues whether each {@code EntryPut} of the group has its value, for all listeners and watches
 * @param maxAge the age at which a purge deletes an entry, counted from its creation, more than zero; null for no limit
 * @param ageIndex whether the group's entries are indexed by their creation; always true if there is a maximum age
 * @param retention how long the group's expired entries are kept for {@link Keyspace#expired}; zero to keep none, null for
 *     the {@linkplain StoreBuilder#retention time of the store}
 * @since 0.1
 * @see StoreBuilder#group(String,GroupSettings)
 * @see Expiry
 */
public record GroupSettings(
        @Nullable Duration ttl,
        boolean statistics,
        boolean eventValues,
        @Nullable Duration maxAge,
        boolean ageIndex,
        @Nullable Duration retention) {

    private static final GroupSettings DEFAULTS = new GroupSettings(null, false, false, null, false, null);

    /**
     * Checks the settings. A maximum age turns the age index on.
     *
     * @param ttl the default ttl; null for entries that do not expire
     * @param statistics whether the group is counted separately
     * @param eventValues whether the events of the group have their values
     * @param maxAge the age at which a purge deletes an entry; null for no limit
     * @param ageIndex whether the group's entries are indexed by their creation
     * @param retention how long the group's expired entries are kept; null for the time of the store
     * @throws IllegalArgumentException if the ttl is zero, negative, or above 146 million years, if the maximum age is zero
     *     or negative, or if the retention is negative or above 146 million years
     */
    public GroupSettings {
        if (ttl != null) {
            long unused = Millis.ofTtl(ttl, "ttl");
        }
        if (maxAge != null) {
            if (maxAge.isZero() || maxAge.isNegative()) {
                throw new IllegalArgumentException("'maxAge' must be more than zero, but is " + maxAge);
            }
            ageIndex = true;
        }
        if (retention != null) {
            long unused = Millis.of(retention, "retention");
        }
    }

    /**
     * Returns the default settings: no ttl, not counted separately, events without values, no maximum age, no age
     * index, and the retention of the store.
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
        return new GroupSettings(newTtl, statistics, eventValues, maxAge, ageIndex, retention);
    }

    /**
     * Returns settings with or without separate statistics.
     *
     * @param counted whether the group is counted separately
     * @return the changed settings
     */
    public GroupSettings withStatistics(boolean counted) {
        return new GroupSettings(ttl, counted, eventValues, maxAge, ageIndex, retention);
    }

    /**
     * Returns settings with or without values in events.
     *
     * @param published whether each {@code EntryPut} of the group has its value, for all listeners and watches. Values
     *     may be secrets
     * @return the changed settings
     */
    public GroupSettings withEventValues(boolean published) {
        return new GroupSettings(ttl, statistics, published, maxAge, ageIndex, retention);
    }

    /**
     * Returns settings with another maximum age. Each purge, but not the timer that expires entries on time, deletes
     * the entries of at least that age and publishes an {@code EntryDeleted} event for each. Until the next purge, they
     * are visible. Overwriting does not make an entry younger.
     *
     * <p>A ttl is counted from the last write, or from a read that renews it; a maximum age from the creation. Together
     * they end a session after 30 idle minutes, and in any case after a day. To end an entry exactly on time, use
     * {@link Expiry#afterCreation}.
     *
     * <p>A maximum age turns the {@link #withAgeIndex age index} on, which then stays on in these settings.
     *
     * @param newMaxAge the age at which a purge deletes an entry, more than zero; null for no limit
     * @return the changed settings
     * @throws IllegalArgumentException if the age is zero or negative
     */
    public GroupSettings withMaxAge(@Nullable Duration newMaxAge) {
        return new GroupSettings(ttl, statistics, eventValues, newMaxAge, ageIndex, retention);
    }

    /**
     * Returns settings with or without an index of the group's entries by their creation. With it, {@link
     * Group#sweep(Duration)} costs only as much as it deletes, however large the group is, and {@link
     * Group#createdBefore(Instant)} is available. The index makes it slower to create and delete entries of this group.
     * Other writes and other groups are not slower.
     *
     * <p>If the group has entries when the store is first opened with the index, opening indexes them. If the store is
     * opened without the index, opening removes it. Both take time that grows with the group, and need free space on
     * the disk.
     *
     * @param indexed whether there is an index
     * @return the changed settings
     * @throws IllegalArgumentException if there is a maximum age, which needs the index
     */
    public GroupSettings withAgeIndex(boolean indexed) {
        if (!indexed && maxAge != null) {
            throw new IllegalArgumentException("'ageIndex' must be true, because there is a 'maxAge' of " + maxAge);
        }
        return new GroupSettings(ttl, statistics, eventValues, maxAge, indexed, retention);
    }

    /**
     * Returns settings with another retention.
     *
     * @param newRetention how long the group's expired entries are kept for {@link Keyspace#expired}, instead of the
     *     {@linkplain StoreBuilder#retention time of the store}; zero to keep none, null for the time of the store. Applies to
     *     the entries that the store keeps already, too
     * @return the changed settings
     * @throws IllegalArgumentException if the time is negative, or above 146 million years
     */
    public GroupSettings withRetention(@Nullable Duration newRetention) {
        return new GroupSettings(ttl, statistics, eventValues, maxAge, ageIndex, newRetention);
    }
}
