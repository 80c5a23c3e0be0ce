package dev.ttlstore;

import java.time.Duration;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

/**
 * Figures of one instance about the database that several instances share.
 *
 * @param node the id of this instance, new each time that it opens the store
 * @param otherNodes the number of other instances that listen for notifications now; those that cannot are not counted
 * @param notified whether the server notifies this instance of the commits of others; if not, it polls
 * @param lag for how long commits of other instances may be unknown here; up to half a second is normal. The longest
 *     {@code Duration} of milliseconds if none were read yet
 * @param oldestSnapshot for how long the oldest open transaction has kept the server from vacuuming, as far as the role may see
 *     it: its own sessions, or all of them with the role {@code pg_read_all_stats}; zero if there is none. Commits get
 *     slower after many minutes
 * @param hotRatio the share of the updates of entries that changed no index, from 0 to 1, since the server counts; null if there
 *     were no updates. Renewals should be such updates
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
        @Nullable Double hotRatio) {}
