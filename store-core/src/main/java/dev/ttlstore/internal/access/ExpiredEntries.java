package dev.ttlstore.internal.access;

import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.LinkedBlockingDeque;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.engine.ExpiryRow;
import dev.ttlstore.engine.ExpiryScan;
import dev.ttlstore.engine.ExpiryWalk;
import dev.ttlstore.engine.RetainedScan;
import dev.ttlstore.engine.RetainedScan.Position;
import dev.ttlstore.engine.Row;

/**
 * Merges expired rows that are not removed yet with retained rows, in the order of their expiry. A row may be removed
 * at any time. So for each time span, the rows that are not removed are read first: a row that is no longer found has
 * been retained by then, and a row that is found in both places is returned once. Used by one thread.
 */
public final class ExpiredEntries {

    /** Few, because these rows come with their values, however large. */
    private static final int ROWS_PER_PAGE = 16;

    private final RowAccess access;
    private final ExpiryWalk expiries;
    private final long end;

    /** The rows that were not removed when the current time span started, and have not been returned yet. */
    private final Deque<ExpiryRow> standing = new LinkedBlockingDeque<>();

    /** The scan of retained rows, from the last returned row to the end of the current time span. */
    private RetainedScan retained;

    private boolean begun;

    /**
     * Prepares a walk over retained entries.
     *
     * @param access reaches the rows
     * @param scan selects the entries
     */
    public ExpiredEntries(RowAccess access, ExpiryScan scan) {
        this.access = access;
        this.expiries = access.expired(scan);
        this.end = scan.to();
        this.retained = new RetainedScan(scan.groups(), scan.from(), scan.from(), Position.START, ROWS_PER_PAGE);
    }

    /**
     * Reads the page after an entry.
     *
     * @param last the last entry of the page before; null for the first page
     * @return the page
     */
    public PageStreams.Page<Row> page(@Nullable Row last) {
        if (!begun) {
            begun = true;
            beginSpan();
        }
        List<Row> rows = new ArrayList<>();
        List<Row> page = access.retained(retained);
        boolean spanEnds = page.size() < ROWS_PER_PAGE;
        for (Row row : page) {
            if (!expiries.hasReached(row.expiresAt(), row.key())) {
                spanEnds = true; // rows before it that are not removed have to be read first
                break;
            }
            tellStanding(position(row), rows);
            if (rows.size() == ROWS_PER_PAGE) {
                return new PageStreams.Page<>(rows, true);
            }
            tell(row, rows);
        }
        boolean more = true;
        if (spanEnds) {
            tellStanding(null, rows);
            more = !standing.isEmpty() || expiries.hasMore();
            if (standing.isEmpty() && more) {
                beginSpan();
            }
        }
        return new PageStreams.Page<>(rows, more);
    }

    private void beginSpan() {
        standing.addAll(expiries.next());
        long reached = expiries.reached();
        // Includes the time that the walk has reached, because more rows may have the same expiry. Rows beyond it are
        // left to the next span.
        long to = reached < end ? reached + 1 : end;
        retained = new RetainedScan(retained.groups(), retained.from(), to, retained.after(), ROWS_PER_PAGE);
    }

    private void tell(Row row, List<Row> rows) {
        rows.add(row);
        retained = new RetainedScan(retained.groups(), retained.from(), retained.to(), position(row), ROWS_PER_PAGE);
    }

    /** Returns rows before a place that fit the page. A row at the place itself has been retained meanwhile. */
    private void tellStanding(@Nullable Position place, List<Row> rows) {
        for (ExpiryRow next = standing.peek(); next != null; next = standing.peek()) {
            Position own = new Position(next.expiresAt(), next.key(), next.version());
            int order = place == null ? -1 : compare(own, place);
            if (order > 0 || rows.size() == ROWS_PER_PAGE) {
                return;
            }
            standing.remove();
            Row row = order == 0 ? null : row(own);
            if (row != null) {
                tell(row, rows);
            }
        }
    }

    /** Reads a row that was there a moment ago and may have been retained since. Returns null if it was not. */
    private @Nullable Row row(Position place) {
        Row row = access.committed(place.key());
        if (row != null && row.version() == place.version() && row.expiresAt() == place.expiresAt()) {
            return row;
        }
        Position before = new Position(place.expiresAt(), place.key(), place.version() - 1);
        RetainedScan only = new RetainedScan(retained.groups(), place.expiresAt(), place.expiresAt() + 1, before, 1);
        for (Row found : access.retained(only)) {
            if (position(found).equals(place)) {
                return found;
            }
        }
        return null;
    }

    private static Position position(Row row) {
        return new Position(row.expiresAt(), row.key(), row.version());
    }

    private static int compare(Position a, Position b) {
        return ExpiryRow.ORDER.compare(expiryRow(a), expiryRow(b));
    }

    private static ExpiryRow expiryRow(Position place) {
        return new ExpiryRow(place.key(), place.version(), place.expiresAt(), 0);
    }
}
