package dev.ttlstore.engine;

import java.util.List;

/**
 * Walks over rows in the order of their expiry, page by page. A page shows the rows as they are when it is read, and a row that
 * is renewed during the walk may be passed over. A walk holds nothing open between two pages. Used by one thread.
 *
 * @since 0.1
 */
public interface ExpiryWalk {

    /**
     * Reads on.
     *
     * @return the next rows, in the order of {@link ExpiryRow#ORDER}; may be empty although there are more
     */
    List<ExpiryRow> next();

    /**
     * Returns how far the walk has come.
     *
     * @return a place at or before which no row remains; {@link Place#END} if the walk has ended
     */
    Place reached();

    /**
     * Tests whether there may be more rows.
     *
     * @return false if the walk has ended
     */
    default boolean hasMore() {
        return reached().compareTo(Place.END) < 0;
    }
}
