package dev.ttlstore.engine.support;

import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.engine.ExpiryRow;
import dev.ttlstore.engine.ExpiryWalk;
import dev.ttlstore.engine.RowKey;

/**
 * Walks over an engine's expiry index, and sorts its rows by their expiry. The index returns rows by due time, which is
 * the expiry unless the row was renewed. A row that comes before its expiry waits here until the walk has reached that
 * expiry.
 *
 * <p>Used by one thread. Throws what reading the index throws, and a failed page can be read again.
 */
public final class ExpiryIndexWalk implements ExpiryWalk {

    private final Pages pages;
    private final int pageSize;
    private final PriorityQueue<ExpiryRow> early = new PriorityQueue<>(ExpiryRow.ORDER);
    private Place last = Place.START;
    private boolean more = true;
    private @Nullable ExpiryRow returned;

    /**
     * Starts a walk.
     *
     * @param pages reads the index
     * @param pageSize how many rows a page has, unless it is the last
     */
    public ExpiryIndexWalk(Pages pages, int pageSize) {
        this.pages = pages;
        this.pageSize = pageSize;
    }

    /**
     * A place in the index, which is ordered by due time and then by name.
     *
     * @param dueAt the due time, in milliseconds since the epoch
     * @param key the name of the row
     */
    public record Place(long dueAt, RowKey key) {

        /** The place before all rows. */
        public static final Place START = new Place(Long.MIN_VALUE, new RowKey("", ""));
    }

    /**
     * A row of the index. It is never due after its expiry. It is due before its expiry if a renewal has left the
     * index unchanged.
     *
     * @param row the row
     * @param dueAt when it is due, in milliseconds since the epoch
     */
    public record DueRow(ExpiryRow row, long dueAt) {}

    /** Reads pages of the index. */
    public interface Pages {

        /**
         * Reads the page after a place.
         *
         * @param last the place of the last row of the page before; {@link Place#START} for the first page
         * @return the rows in the order of their places; fewer than the page size if there are no more
         */
        List<DueRow> after(Place last);
    }

    @Override
    public List<ExpiryRow> next() {
        List<DueRow> page = pages.after(last);
        more = page.size() == pageSize;
        for (DueRow due : page) {
            early.add(due.row());
            last = new Place(due.dueAt(), due.row().key());
        }
        List<ExpiryRow> rows = new ArrayList<>();
        for (ExpiryRow row = early.peek(); row != null && hasReached(row.expiresAt(), row.key()); row = early.peek()) {
            early.remove();
            // A row that was returned already was moved ahead of the walk.
            if (returned == null || ExpiryRow.ORDER.compare(returned, row) != 0) {
                rows.add(row);
                returned = row;
            }
        }
        return rows;
    }

    @Override
    public boolean hasMore() {
        return more;
    }

    /**
     * Tests whether the walk has reached a row. A row that expires at the due time that the walk has reached is also
     * due then, and in its place.
     */
    @Override
    public boolean hasReached(long expiresAt, RowKey key) {
        return !more
                || expiresAt < last.dueAt()
                || (expiresAt == last.dueAt() && RowKey.ORDER.compare(key, last.key()) <= 0);
    }

    @Override
    public long reached() {
        return more ? last.dueAt() : Long.MAX_VALUE;
    }
}
