package dev.ttlstore.engine;

/**
 * Selects rows that expire within a time span.
 *
 * @param groups the groups to look at
 * @param from the start of the time span, inclusive, in milliseconds since the epoch
 * @param to the end of the time span, exclusive
 * @param wanted which of the rows to show
 * @param pageSize how many rows to read at once; a page that leaves some out is shorter
 * @since 0.1
 */
public record ExpiryScan(GroupRange groups, long from, long to, Wanted wanted, int pageSize) {

    /** Which rows a page shows. */
    public enum Wanted {

        /** All rows, as they were committed. */
        ALL,

        /** Rows that are live when the page is read. */
        LIVE,

        /** Rows that have expired when the page is read, and are not removed yet. */
        EXPIRED
    }

    /**
     * Selects all rows that have expired by a time.
     *
     * @param groups the groups to look at
     * @param now the time
     * @param pageSize how many rows to read at once
     * @return the scan
     */
    public static ExpiryScan expired(GroupRange groups, long now, int pageSize) {
        return new ExpiryScan(groups, Long.MIN_VALUE, now + 1, Wanted.ALL, pageSize);
    }

    /**
     * Returns the scan of the whole time span.
     *
     * @return the same scan, of all rows
     */
    public ExpiryScan all() {
        return new ExpiryScan(groups, from, to, Wanted.ALL, pageSize);
    }

    /**
     * Tests whether a page shows a row.
     *
     * @param row a row within the time span
     * @param now when the page is read
     * @return whether it does
     */
    public boolean shows(ExpiryRow row, long now) {
        return wanted == Wanted.ALL || (row.expiresAt() > now) == (wanted == Wanted.LIVE);
    }
}
