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
 * Puts the rows of a walk into the order of their expiry. The walk tells them by the time at which they are due, which is
 * that of their expiry unless they were renewed; those that come too early for their expiry wait here until it is reached.
 * Used by one thread.
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

    /** Reads on, and tells the next rows, if it has come to some: all those that {@link #hasReached} says are behind it. */
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
            if (told == null || ORDER.compare(told, row) != 0) { // or it was moved within the index, ahead of the walk
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
     * Whether no row is still to come that expires before a time, or at that time and has a name that comes before another.
     * A row is never due after its expiry, so one that expires when the walk is at is due then as well, and in its place.
     */
    boolean hasReached(long expiresAt, RowKey key) {
        ExpiryScan.Position at = rest.after();
        return !more || expiresAt < at.dueAt() || (expiresAt == at.dueAt() && NAMES.compare(key, at.key()) <= 0);
    }

    /** No row that is still to come expires before this. */
    long reached() {
        return more ? rest.after().dueAt() : Long.MAX_VALUE;
    }
}
