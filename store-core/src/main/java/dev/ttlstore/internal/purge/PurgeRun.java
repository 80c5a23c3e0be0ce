package dev.ttlstore.internal.purge;

import dev.ttlstore.engine.GroupRange;
import dev.ttlstore.engine.StoreClock;

/**
 * The purge that runs at an interval and on request. Unlike the purge that expires entries on time, it also deletes the
 * entries that have reached the maximum age of their group, and retained entries whose time is over.
 *
 * @param expired removes expired entries
 * @param ages deletes entries that have reached their maximum age
 * @param forgetting removes retained entries
 * @param clock the store's time
 * @param revive run after each purge, whether or not it succeeds: it starts threads of the store that are gone
 */
public record PurgeRun(
        ExpiredPurge expired, MaxAgePurge ages, RetentionPurge forgetting, StoreClock clock, Runnable revive) {

    /**
     * Removes all entries that have expired by now, and then deletes those that have reached their maximum age. An
     * interrupt of the thread ends it after the current commit, and the thread's interrupt status stays set.
     *
     * @param groups the groups to purge
     * @return how many expired entries were removed
     */
    public long run(GroupRange groups) {
        try {
            return purge(groups);
        } finally {
            revive.run();
        }
    }

    private long purge(GroupRange groups) {
        long now = clock.now();
        forgetting.run(groups, now); // first, because on a full disk the following removals need the room
        long removed = expired.run(groups); // before the ages, because an expired entry must not be deleted instead
        // Some entries may have expired so long ago that their retention is over.
        if (removed > 0 && forgetting.isAnyGroupRetained()) {
            forgetting.run(groups, now);
        }
        ages.run(groups);
        return removed;
    }
}
