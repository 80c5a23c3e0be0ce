package dev.ttlstore.engine;

import java.util.List;

/**
 * Walks over rows in the order of their expiry, page by page. A page shows the rows as they are when it is read, and a row that
 * is renewed during the walk may be passed over. A walk holds nothing open between two pages. Used by one thread.
 */
public interface ExpiryWalk {

    /**
     * Reads on.
     *
     * @return the next rows, in the order of {@link ExpiryRow#ORDER}; may be empty although there are more
     */
    List<ExpiryRow> next();

    /**
     * Tests whether there may be more rows.
     *
     * @return false if the walk has ended
     */
    boolean hasMore();

    /**
     * Tests whether the walk has passed a place: no row before it remains.
     *
     * @param expiresAt the expiry of the place
     * @param key the name of the place
     * @return whether all remaining rows come at or after it
     */
    boolean hasReached(long expiresAt, RowKey key);

    /**
     * Returns how far the walk has come.
     *
     * @return a time before which no remaining row expires, in milliseconds since the epoch
     */
    long reached();
}
