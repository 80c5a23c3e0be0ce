package dev.ttlstore.postgresql;

import java.util.List;

import dev.ttlstore.engine.ExpiryScan;
import dev.ttlstore.engine.ExpiryWalk;
import dev.ttlstore.engine.Place;
import dev.ttlstore.engine.Row;
import dev.ttlstore.engine.support.ExpiryIndexWalk;
import dev.ttlstore.engine.support.ExpiryIndexWalk.DueRow;

/**
 * The queries for the index of the due times of entries, in which renewed rows {@linkplain #MAX_LAG_MILLIS lag behind}.
 *
 * @param runner runs them
 * @param slots the slots
 */
record ExpiryIndex(QueryRunner runner, Slots slots) {

    /**
     * How far a renewed row may lag behind in the index; its renewals leave the index unchanged meanwhile. Ten minutes. With more, rows that are renewed often would move less often, but walks would start further back.
     */
    static final long MAX_LAG_MILLIS = 600_000;

    /**
     * The due time of a row that is changed: it keeps the one that it has, unless that is after the new expiry or too far before
     * it. The new expiry is %1$s, the due time so far %2$s.
     */
    static final String DUE_AT = """
            CASE WHEN %%2$s BETWEEN %%1$s - %d AND %%1$s THEN %%2$s ELSE %%1$s END
            """.formatted(MAX_LAG_MILLIS);

    /** Where the index begins in a slot, by the lease {@code %1$s} of its purge, unless the mark was set by a clock that was ahead. */
    static final String MARKED = "CASE WHEN %1$s.mark <= {now} THEN %1$s.mark ELSE " + (Long.MIN_VALUE + 1) + " END";

    /** The place is a bound of the index and not a filter, so earlier rows with the same due time are not stepped over. */
    private static final String EXPIRIES = """
            SELECT f.*
              FROM {slots}
             CROSS JOIN LATERAL (
                   SELECT e.grp, e.key, e.version, e.expires_at, octet_length(e.key) + octet_length(e.value) AS bytes,
                          e.due_at, e.slot
                     FROM @entry e
                    WHERE e.slot = s.slot AND (e.due_at, e.grp, e.key) > (?, ?::text, ?::text) AND e.due_at < ?
                      AND e.grp >= ?::text AND (?::text IS NULL OR e.grp < ?::text) AND e.expires_at >= ? AND e.expires_at < ?
                    ORDER BY e.due_at, e.grp, e.key
                    LIMIT ?) f
             ORDER BY f.due_at, f.grp, f.key
             LIMIT ?
            """;

    private static final String ARE_DUE = "SELECT count(*) FROM (SELECT 1 FROM @entry e WHERE e.due_at <= ? LIMIT ?) d";

    private static final String NEXT_DUE = """
            SELECT min(f.due_at)
              FROM @lease s
             CROSS JOIN LATERAL (
                   SELECT e.due_at
                     FROM @entry e
                    WHERE e.slot = s.slot AND e.due_at >= %s
                    ORDER BY e.due_at
                    LIMIT 1) f
             WHERE s.role = 'purge'
            """.formatted(MARKED.formatted("s"));

    /** Returns the earliest place in the expiry index that a row with an expiry may have. */
    static long firstDue(long expiresAt) {
        return expiresAt < Long.MIN_VALUE + 1 + MAX_LAG_MILLIS ? Long.MIN_VALUE + 1 : expiresAt - MAX_LAG_MILLIS;
    }

    /** Returns a walk over the rows whose expiry is within a time span. */
    ExpiryWalk walk(ExpiryScan scan) {
        return new ExpiryIndexWalk(last -> page(scan, last), scan.pageSize());
    }

    /** Reads the page after a place. */
    private List<DueRow> page(ExpiryScan scan, Place last) {
        // Enters the index where the walk is, or at the first place where a row of the time span may be.
        long first = firstDue(scan.from());
        Place after = last.time() >= first ? last : Place.before(first);
        return runner.list(
                EXPIRIES,
                row -> new DueRow(RowColumns.expiryRow(row), row.getLong(6)),
                RowColumns.integers(slots.of(scan.groups())),
                after.time(),
                after.key(),
                scan.to(),
                scan.groups(),
                scan.from(),
                scan.to(),
                scan.pageSize(),
                scan.pageSize());
    }

    /** Returns the first due time; {@link Row#NEVER} if there is none. */
    long nextDue() {
        return runner.<Long>one(NEXT_DUE, row -> RowColumns.time(row, 1));
    }

    /** Tests whether so many rows are due. */
    boolean areDue(long now, int rows) {
        return runner.<Long>one(ARE_DUE, row -> row.getLong(1), now, rows) == rows;
    }
}
