package dev.ttlstore.engine;

import java.util.UUID;

import org.jspecify.annotations.Nullable;

/**
 * What an engine knows of this process, where several share its data, and of what slows all of them down.
 *
 * @param node the id of this process, new each time that it opens the store
 * @param others how many other processes listen for changes now
 * @param notified whether the database notifies this process of changes; if not, it polls
 * @param behind for how many milliseconds changes of others may be unknown here; {@link Long#MAX_VALUE} if none were read yet
 * @param oldestSnapshot for how many milliseconds the oldest transaction has kept the database from clearing up removed rows, as
 *     far as the role of this process may see it; 0 if there is none
 * @param hotRatio the share of changed rows that needed no change of an index, since the database counts; null if none was changed
 */
public record NodeState(
        UUID node,
        int others,
        boolean notified,
        long behind,
        long oldestSnapshot,
        @Nullable Double hotRatio) {}
