package dev.ttlstore.engine.support;

import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.engine.ExpiryRow;
import dev.ttlstore.engine.ExpiryWalk;
import dev.ttlstore.engine.Place;

/**
 * Walks over an engine's expiry index, and sorts its rows by their expiry. The index returns rows by due time, which is
 * the expiry unless the row was renewed. A row that comes before its expiry waits here until the walk has reached that
 * expiry.
 *
 * <p>Used by one thread. Throws what reading the index throws, and a failed page can be read again.
 *
 * @since 0.1
 */
public final class ExpiryIndexWalk implements ExpiryWalk {

    private final Function<Place, List<DueRow>> pages;
    private final int pageSize;
    private final PriorityQueue<ExpiryRow> early = new PriorityQueue<>(ExpiryRow.ORDER);
    private Place last = Place.START;
    private boolean more = true;
    private @Nullable ExpiryRow returned;

    /**
     * Starts a walk.
     *
     * @param pages reads the page of the index after a place, in the order of places; {@link Place#START} for the first page. Only the
     *     place's due time and name count
     * @param pageSize how many rows a page has; one that has fewer is the last
     */
    public ExpiryIndexWalk(Function<Place, List<DueRow>> pages, int pageSize) {
        this.pages = pages;
        this.pageSize = pageSize;
    }

    /**
     * A row of the index. It is never due after its expiry. It is due before its expiry if a renewal has left the
     * index unchanged.
     *
     * @param row the row
     * @param dueAt when it is due, in milliseconds since the epoch
     */
    public record DueRow(ExpiryRow row, long dueAt) {}

    @Override
    public List<ExpiryRow> next() {
        List<DueRow> page = pages.apply(last);
        more = page.size() == pageSize;
        for (DueRow due : page) {
            early.add(due.row());
            last = new Place(due.dueAt(), due.row().key(), Long.MAX_VALUE);
        }
        List<ExpiryRow> rows = new ArrayList<>();
        for (ExpiryRow row = early.peek(); row != null && hasReached(row); row = early.peek()) {
            early.remove();
            // A row that was returned already was moved ahead of the walk.
            if (returned == null || ExpiryRow.ORDER.compare(returned, row) != 0) {
                rows.add(row);
                returned = row;
            }
        }
        return rows;
    }

    /**
     * Tests whether the walk has reached a row. A row that expires at the due time that the walk has reached is also
     * due then, and in its place.
     */
    private boolean hasReached(ExpiryRow row) {
        return Place.ofExpiry(row).compareTo(reached()) <= 0;
    }

    @Override
    public Place reached() {
        return more ? last : Place.END;
    }
}
