package dev.ttlstore.internal.access;

import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.LinkedBlockingDeque;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.engine.ExpiryRow;
import dev.ttlstore.engine.ExpiryScan;
import dev.ttlstore.engine.ExpiryWalk;
import dev.ttlstore.engine.Place;
import dev.ttlstore.engine.Reads;
import dev.ttlstore.engine.Row;
import dev.ttlstore.engine.RowPage;
import dev.ttlstore.engine.Scan;

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
    private Scan retained;

    private boolean begun;

    /**
     * Prepares a walk over retained entries.
     *
     * @param access reaches the rows
     * @param scan selects the expired entries
     */
    public ExpiredEntries(RowAccess access, ExpiryScan scan) {
        this.access = access;
        this.expiries = access.reads().expiring(scan);
        this.end = scan.to();
        this.retained = Scan.retained(scan.groups(), scan.from(), scan.from(), ROWS_PER_PAGE);
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
        RowPage page = access.reads().page(retained);
        boolean spanEnds = !page.more();
        for (Row row : page.rows()) {
            if (Place.ofExpiry(row).compareTo(expiries.reached()) > 0) {
                spanEnds = true; // rows before it that are not removed have to be read first
                break;
            }
            tellStanding(Place.ofExpiry(row), rows);
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
        long reached = expiries.reached().time();
        // Includes the time that the walk has reached, because more rows may have the same expiry. Rows beyond it are
        // left to the next span.
        long to = reached < end ? reached + 1 : end;
        retained = retained.within(retained.after(), to);
    }

    private void tell(Row row, List<Row> rows) {
        rows.add(row);
        retained = retained.after(row);
    }

    /** Returns rows before a place that fit the page. A row at the place itself has been retained meanwhile. */
    private void tellStanding(@Nullable Place place, List<Row> rows) {
        for (ExpiryRow next = standing.peek(); next != null; next = standing.peek()) {
            Place own = Place.ofExpiry(next);
            int order = place == null ? -1 : own.compareTo(place);
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
    private @Nullable Row row(Place place) {
        Row row = access.reads().get(place.key(), Reads.ALL);
        if (row != null && Place.ofExpiry(row).equals(place)) {
            return row;
        }
        Place before = new Place(place.time(), place.key(), place.version() - 1);
        Scan only = Scan.retained(retained.groups(), place.time(), place.time() + 1, 1)
                .within(before, place.time() + 1);
        Row found = access.reads().page(only).last();
        return found != null && Place.ofExpiry(found).equals(place) ? found : null;
    }
}
