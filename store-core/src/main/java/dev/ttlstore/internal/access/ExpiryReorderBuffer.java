package dev.ttlstore.internal.access;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.engine.ExpiryRow;
import dev.ttlstore.engine.ExpiryScan;
import dev.ttlstore.engine.RowKey;
import dev.ttlstore.engine.Utf8;

/**
 * Sorts the rows of a walk by their expiry. The walk returns them by due time, which is the expiry unless a row was
 * renewed. Rows that come before their expiry wait here until the walk has reached it. Used by one thread.
 */
public final class ExpiryReorderBuffer {

    private static final Comparator<RowKey> NAMES =
            Comparator.comparing(RowKey::group, Utf8.ORDER).thenComparing(RowKey::key, Utf8.ORDER);

    static final Comparator<ExpiryRow> ORDER = Comparator.comparingLong(ExpiryRow::expiresAt)
            .thenComparing(ExpiryRow::key, NAMES)
            .thenComparingLong(ExpiryRow::version);

    private final RowAccess access;
    private final PriorityQueue<ExpiryRow> early = new PriorityQueue<>(ORDER);
    private ExpiryScan rest;
    private boolean more = true;
    private @Nullable ExpiryRow told;

    /**
     * Prepares a walk over expiring entries.
     *
     * @param access reaches the rows
     * @param walk the first page to read
     */
    public ExpiryReorderBuffer(RowAccess access, ExpiryScan walk) {
        this.access = access;
        this.rest = walk;
    }

    /**
     * Reads the page after an entry.
     *
     * @param last the last entry of the page before; null for the first page
     * @return the page
     */
    public Pages.Page<ExpiryRow> page(@Nullable ExpiryRow last) {
        List<ExpiryRow> rows = next();
        return new Pages.Page<>(rows, more);
    }

    /** Reads on, and returns the next rows, if any: all those that {@link #hasReached} reports as passed. */
    List<ExpiryRow> next() {
        List<ExpiryRow> page = access.expiries(rest);
        early.addAll(page);
        more = page.size() == rest.limit();
        if (!page.isEmpty()) {
            rest = rest.after(page.get(page.size() - 1));
        }
        List<ExpiryRow> rows = new ArrayList<>();
        for (ExpiryRow row = early.peek(); row != null && hasReached(row.expiresAt(), row.key()); row = early.peek()) {
            early.remove();
            if (told == null || ORDER.compare(told, row) != 0) { // or it was moved ahead of the walk
                rows.add(row);
                told = row;
            }
        }
        return rows;
    }

    boolean hasMore() {
        return more;
    }

    /**
     * Returns whether all remaining rows expire after a time, or at that time with a name that is not before the given
     * one. A row is never due after its expiry. So a row that expires at the time that the walk has reached is also
     * due then, and in its place.
     */
    boolean hasReached(long expiresAt, RowKey key) {
        ExpiryScan.Position at = rest.after();
        return !more || expiresAt < at.dueAt() || (expiresAt == at.dueAt() && NAMES.compare(key, at.key()) <= 0);
    }

    /** Returns a time before which no remaining row expires. */
    long reached() {
        return more ? rest.after().dueAt() : Long.MAX_VALUE;
    }
}
