package dev.ttlstore;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.engine.ExpiryRow;
import dev.ttlstore.engine.ExpiryScan;
import dev.ttlstore.engine.Utf8;

/**
 * Puts the rows of a walk into the order of their expiry. The walk tells them by the time at which they are due, which is
 * that of their expiry unless they were renewed; those that come too early for their expiry wait here until it is reached.
 * Used by one thread.
 */
final class Expiries {

    static final Comparator<ExpiryRow> ORDER = Comparator.comparingLong(ExpiryRow::expiresAt)
            .thenComparing(row -> row.key().group(), Utf8.ORDER)
            .thenComparing(row -> row.key().key(), Utf8.ORDER)
            .thenComparingLong(ExpiryRow::version);

    private final Access access;
    private final PriorityQueue<ExpiryRow> early = new PriorityQueue<>(ORDER);
    private ExpiryScan rest;
    private boolean more = true;
    private @Nullable ExpiryRow told;

    Expiries(Access access, ExpiryScan walk) {
        this.access = access;
        this.rest = walk;
    }

    /** The rows as a stream. */
    Pages.Page<ExpiryRow> page(@Nullable ExpiryRow last) {
        List<ExpiryRow> rows = next();
        return new Pages.Page<>(rows, more);
    }

    /** Reads on, and tells the next rows, if it has come to some: all those that expire before {@link #reached()}. */
    List<ExpiryRow> next() {
        List<ExpiryRow> page = access.expiries(rest);
        early.addAll(page);
        more = page.size() == rest.limit();
        if (!page.isEmpty()) {
            rest = rest.after(page.get(page.size() - 1));
        }
        long reached = reached();
        List<ExpiryRow> rows = new ArrayList<>();
        for (ExpiryRow row = early.peek(); row != null && row.expiresAt() < reached; row = early.peek()) {
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

    /** No row that is still to come expires before this. */
    long reached() {
        return more ? rest.after().dueAt() : Long.MAX_VALUE;
    }
}
