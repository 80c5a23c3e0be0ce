package dev.ttlstore.engine;

/**
 * Selects the rows that expire within a time span.
 *
 * @param groups the groups to look at
 * @param from the start of the time span, inclusive, in milliseconds since the epoch
 * @param to the end of the time span, exclusive
 * @param pageSize how many rows to read at once
 */
public record ExpiryScan(GroupRange groups, long from, long to, int pageSize) {

    /**
     * Selects all expired rows.
     *
     * @param groups the groups to look at
     * @param now the time by which rows have expired
     * @param pageSize how many rows to read at once
     * @return the scan
     */
    public static ExpiryScan expired(GroupRange groups, long now, int pageSize) {
        return new ExpiryScan(groups, Long.MIN_VALUE, now + 1, pageSize);
    }
}
