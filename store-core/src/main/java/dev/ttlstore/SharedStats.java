package dev.ttlstore;

import java.time.Duration;
import java.util.Map;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

/**
 * Figures of one instance about the database that several instances share.
 *
 * @param node the id of this instance, new each time that it opens the store
 * @param otherNodes the number of other instances that listen for notifications now; those that cannot are not counted
 * @param notified whether the server notifies this instance of the commits of others; if not, it polls
 * @param lag for how long commits of other instances may be unknown here; up to half a second is normal.
 *     {@code Long.MAX_VALUE} milliseconds before the first look
 * @param oldestSnapshot for how long the oldest open transaction has kept the server from vacuuming, as far as the role may see
 *     it: its own sessions, or all of them with the role {@code pg_read_all_stats}; zero if there is none. Commits get
 *     slower after many minutes
 * @param hotRatio the share of the updates of entries that changed no index, from 0 to 1, since the server counts; null if there
 *     were no updates, or if the tables are distributed. Renewals should be such updates
 * @param lockedCommits how many commits this instance has decided itself, under locks, since it opened the store, by the
 *     reason why the server could not. Such a commit takes more round trips. Purges, transactions, and what runs code of the
 *     application count as {@code caller-code}; several operations at once near the server as {@code nearby}; entries that have
 *     expired, and that a handler or the retention asks for, as {@code expiry}; namespaces that are nearly full as {@code quota};
 *     calls of more than 1 MiB, or with large answers, as {@code size}, also if they are only split; several operations on
 *     distributed tables, and all while the schema admits instances of layout 1, as {@code tables}; operations that the functions
 *     do not know as {@code unknown}; writes that need a number or a text, and find another value, and increments beside other
 *     operations, as {@code form}; those that need a value of more than 4 KiB, or together more than 8 MiB, as {@code value}; calls
 *     that came too late as {@code late}; entries with times of their own, and all after a leap of the clock that is not settled
 *     yet, as {@code times}; what came after a restart of the server as {@code server}, and after a step of its clock as
 *     {@code clock}; transactions that the role makes read-only or serializable as {@code role}; a slot without its row as
 *     {@code slot}. All count as {@code function} if the functions of the store are missing in the database, changed, or forbidden
 * @since 0.1
 * @see StoreStats#shared()
 * @see dev.ttlstore.postgresql.PostgreSql
 */
public record SharedStats(
        UUID node,
        int otherNodes,
        boolean notified,
        Duration lag,
        Duration oldestSnapshot,
        @Nullable Double hotRatio,
        Map<String, Long> lockedCommits) {

    /**
     * Copies the figures.
     *
     * @param node the id of this instance
     * @param otherNodes the number of other instances that listen for notifications now
     * @param notified whether the server notifies this instance
     * @param lag for how long commits of other instances may be unknown here
     * @param oldestSnapshot for how long the oldest open transaction has kept the server from vacuuming
     * @param hotRatio the share of the updates of entries that changed no index
     * @param lockedCommits how many commits this instance has decided itself, by the reason
     */
    public SharedStats {
        lockedCommits = Map.copyOf(lockedCommits);
    }
}
