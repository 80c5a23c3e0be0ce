package dev.ttlstore;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * Counts of the store's work since it was opened. Reading them is cheap.
 *
 * @param entries counts for all entries
 * @param groups counts for each group with statistics of its own ({@link GroupSettings#statistics}), by full name
 * @param commits the number of commits
 * @param writes the number of writing calls that these commits served; a purge or a transaction counts as one call
 * @param purges the number of purges
 * @param lastPurge when the last purge ended, in the store's time; null if there was none
 * @param quotaRefusals the number of writes that a quota refused
 * @param listenerFailures how often a listener has thrown, or an event has lost its value because the cipher has failed
 *     with an error
 * @param listenerRunning how long the current listener call has been running; zero if none is. Writers wait for it, so
 *     more than a few milliseconds slow them down
 * @param watchDrops the number of events that watches have dropped, because their readers were too slow
 * @param unreadable the number of reads that found no entry because its value could not be read
 * @param cache counts of the near cache
 * @since 0.1
 * @see Store#activity()
 * @see StoreStats
 * @see dev.ttlstore.event.StoreObserver
 */
public record StoreActivity(
        GroupActivity entries,
        Map<String, GroupActivity> groups,
        long commits,
        long writes,
        long purges,
        @Nullable Instant lastPurge,
        long quotaRefusals,
        long listenerFailures,
        Duration listenerRunning,
        long watchDrops,
        long unreadable,
        CacheActivity cache) {}
