package dev.ttlstore;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * What a store has done since it was opened. To ask for it costs next to nothing.
 *
 * @param entries what has been done to all entries
 * @param groups the same for each group that is counted by itself ({@link GroupSettings#statistics}), by full name
 * @param commits how many commits there were
 * @param writes how many calls these have served: writes, and a purge or a transaction each as one
 * @param purges how many purges have run
 * @param lastPurge when the last of them ended, in the store's time; null if there was none
 * @param quotaRefusals how many writes were refused for a quota
 * @param listenerFailures how often a listener has thrown
 * @param listenerRunning for how long the listener that is being called has been running; zero if none is. Writers wait for
 *     it, so more than some milliseconds slow them down
 * @param watchDrops how many events watches have dropped, their readers being too slow
 * @param unreadable how many reads have answered absent for a value that could not be read
 * @param cache what the near cache has done
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
