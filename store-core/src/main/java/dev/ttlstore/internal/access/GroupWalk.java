package dev.ttlstore.internal.access;

import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.KeyRange;
import dev.ttlstore.engine.Row;
import dev.ttlstore.engine.RowPage;
import dev.ttlstore.engine.Scan;
import dev.ttlstore.exception.StoreFullException;
import dev.ttlstore.internal.base.Progress;
import dev.ttlstore.internal.commit.Mutation;

/** Walks the rows of a group, in pages and in the order of their keys. It holds nothing between two pages. */
public final class GroupWalk {

    private static final int ROWS_PER_PAGE = 256;

    private final RowAccess access;
    private final String group;

    /**
     * Prepares walks.
     *
     * @param access reaches the rows
     * @param group the full name of the group
     */
    public GroupWalk(RowAccess access, String group) {
        this.access = access;
        this.group = group;
    }

    /**
     * Streams the live rows of a range, page by page. A row that has expired since its page was read is read again,
     * because it may have been renewed in time.
     *
     * @param range the range
     * @return the rows, without regard to the limit of the range
     */
    public Stream<Row> rows(KeyRange range) {
        access.requireUsable();
        Objects.requireNonNull(range, "'range' must not be null");
        return Pages.rows(access, scan(range)).flatMap(row -> Stream.ofNullable(current(row)));
    }

    private @Nullable Row current(Row row) {
        return row.isLiveAt(access.now()) ? row : access.read(row.key());
    }

    /**
     * Counts the rows of a range that are live at a time.
     *
     * @param range the range
     * @param at the time, in milliseconds since the epoch
     * @return how many there are, at most the limit of the range
     */
    public long count(KeyRange range, long at) {
        return Math.min(range.maxEntries(), access.count(scan(range).with(at, Integer.MAX_VALUE)));
    }

    /**
     * Changes some rows of each page in a commit of its own. An interrupt ends it early.
     *
     * @param what what the change does, for the log
     * @param range the range; its limit says how many rows are changed at most
     * @param wanted selects rows
     * @param change makes a mutation that changes rows, and answers how many it has changed
     * @return how many rows were changed
     */
    public long change(String what, KeyRange range, Predicate<Row> wanted, Function<List<Row>, Mutation<Long>> change) {
        access.requireUsable();
        Objects.requireNonNull(range, "'range' must not be null");
        Progress progress = new Progress(what + " in group '" + group + "'");
        Scan scan = scan(range);
        long left = range.maxEntries();
        boolean more = left > 0;
        while (more) {
            RowPage page = access.scan(scan);
            List<Row> rows = page.rows().stream().filter(wanted).limit(left).toList();
            if (!rows.isEmpty()) {
                long changed = submit(rows, change);
                progress.add(changed);
                left -= changed;
            }
            more = page.more() && left > 0 && !Thread.currentThread().isInterrupted();
            if (more) {
                scan = scan.after(page.rows().get(page.rows().size() - 1).key().key());
            }
        }
        return progress.done();
    }

    /** Submits a change in parts, because a full disk may have room for a part of a page only. */
    private long submit(List<Row> rows, Function<List<Row>, Mutation<Long>> change) {
        try {
            return access.submit(change.apply(rows));
        } catch (StoreFullException e) {
            if (rows.size() == 1) {
                throw e;
            }
            int half = rows.size() / 2;
            return submit(rows.subList(0, half), change) + submit(rows.subList(half, rows.size()), change);
        }
    }

    private Scan scan(KeyRange range) {
        String from = range.from() == null ? "" : range.from();
        int limit = (int) Math.min(ROWS_PER_PAGE, Math.max(1, range.maxEntries()));
        return new Scan(group, from, range.to(), range.isReversed(), Long.MIN_VALUE, limit);
    }
}
