package dev.ttlstore.internal.purge;

import dev.ttlstore.engine.GroupRange;

/**
 * The purge that runs at an interval and on request. Unlike the purge that expires entries on time, it also deletes the
 * entries that have reached the maximum age of their group.
 */
public final class RegularPurge {

    private final Purge expired;
    private final MaxAges ages;

    /**
     * Creates the purge.
     *
     * @param expired removes expired entries
     * @param ages deletes entries that have reached their maximum age
     */
    public RegularPurge(Purge expired, MaxAges ages) {
        this.expired = expired;
        this.ages = ages;
    }

    /**
     * Removes all entries that have expired by now, and then deletes those that have reached their maximum age. An
     * interrupt of the thread ends it after the current commit, and the thread's interrupt status stays set.
     *
     * @param groups the groups to purge
     * @return how many expired entries were removed
     */
    public long run(GroupRange groups) {
        long removed = expired.run(groups); // first, because an entry that has expired must not be deleted instead
        ages.run(groups);
        return removed;
    }
}
