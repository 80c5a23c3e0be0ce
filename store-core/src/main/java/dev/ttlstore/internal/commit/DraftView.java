package dev.ttlstore.internal.commit;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.Predicate;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.engine.AgeScan;
import dev.ttlstore.engine.Answer;
import dev.ttlstore.engine.ExpiryScan;
import dev.ttlstore.engine.ExpiryWalk;
import dev.ttlstore.engine.GroupRange;
import dev.ttlstore.engine.Request;
import dev.ttlstore.engine.RetainedScan;
import dev.ttlstore.engine.Row;
import dev.ttlstore.engine.RowKey;
import dev.ttlstore.engine.RowPage;
import dev.ttlstore.engine.Scan;
import dev.ttlstore.engine.Utf8;

/**
 * The store as a transaction sees it: the committed rows, overlaid by the transaction's own changes. A range command
 * of a transaction finds its rows here and changes them one by one.
 */
public final class DraftView {

    private static final int PAGE = 512;

    private final Draft draft;

    DraftView(Draft draft) {
        this.draft = draft;
    }

    /**
     * Returns the time of the transaction.
     *
     * @return milliseconds since the epoch
     */
    public long now() {
        return draft.now();
    }

    /**
     * Takes a sequence number.
     *
     * @param group the full name of a group
     * @return a number after those of all earlier events of the group, and before those of all later ones
     */
    public long nextSequence(String group) {
        return draft.log().nextSequence(group);
    }

    /**
     * Adds a request.
     *
     * @param request the request
     * @return what has become of it
     */
    public Answer apply(Request request) {
        draft.load(request.keys());
        return draft.decide(request);
    }

    /**
     * Reads live rows.
     *
     * @param keys the names of the rows
     * @return those rows that are live
     */
    public Map<RowKey, Row> read(Collection<RowKey> keys) {
        draft.load(keys);
        Map<RowKey, Row> rows = new HashMap<>();
        for (DraftRow slot : draft.rows().get(keys)) {
            Row row = slot.current();
            if (row != null && row.isLiveAt(now())) {
                rows.put(row.key(), row);
            }
        }
        return rows;
    }

    /**
     * Reads live rows of a group.
     *
     * @param scan the range and its order; the transaction's time replaces the time in it
     * @return the first rows of the range
     */
    public RowPage scan(Scan scan) {
        Scan all = scan.with(now(), scan.limit());
        Comparator<String> order = scan.reversed() ? Utf8.ORDER.reversed() : Utf8.ORDER;
        return page(
                scan.limit(),
                last -> draft.reads()
                        .scan(last == null ? all : all.after(last.key().key())),
                Comparator.comparing(row -> row.key().key(), order),
                row -> row.isLiveAt(now())
                        && row.key().group().equals(scan.group())
                        && scan.contains(row.key().key()));
    }

    /**
     * Reads live rows of a group with an age index, in the order of their creation.
     *
     * @param scan the rows; the transaction's time replaces the time in it
     * @return the first of the rows
     */
    public RowPage created(AgeScan scan) {
        AgeScan all = scan.at(now());
        return page(
                scan.limit(),
                last -> draft.reads().created(last == null ? all : all.after(last)),
                AgeScan.ORDER,
                all::contains);
    }

    /** Reads the committed rows of a scan. */
    private interface Committed {
        RowPage after(@Nullable Row last);
    }

    private RowPage page(int limit, Committed rows, Comparator<Row> order, Predicate<Row> wanted) {
        Row last = null;
        while (true) {
            RowPage page = rows.after(last);
            List<Row> merged = merge(page, order, wanted);
            boolean more = page.more();
            if (merged.size() > limit) {
                merged = merged.subList(0, limit);
                more = true;
            }
            if (!merged.isEmpty() || !more) {
                return new RowPage(merged, more);
            }
            last = last(page.rows()); // the draft has no row up to here
        }
    }

    /**
     * Returns the rows of a page, with the draft's rows in place of those that it has changed, and the rows that the
     * draft has added to the page's range.
     */
    private List<Row> merge(RowPage page, Comparator<Row> order, Predicate<Row> wanted) {
        Row end = page.more() ? last(page.rows()) : null;
        List<Row> merged = new ArrayList<>();
        for (Row row : page.rows()) {
            if (!draft.rows().contains(row.key())) {
                merged.add(row);
            }
        }
        for (DraftRow slot : draft.rows().all()) {
            Row row = slot.current();
            if (row != null && wanted.test(row) && (end == null || order.compare(row, end) <= 0)) {
                merged.add(row);
            }
        }
        merged.sort(order);
        return merged;
    }

    /**
     * Counts the rows of groups that are live at a time.
     *
     * @param groups the groups
     * @param at the time by which expiry is judged
     * @return how many there are
     */
    public long count(GroupRange groups, long at) {
        return draft.reads().count(groups, at) + change(at, key -> groups.contains(key.group()));
    }

    /**
     * Counts the rows of a range of a group that are live at the time of a scan.
     *
     * @param scan the range; its direction and limit do not count
     * @return how many there are
     */
    public long count(Scan scan) {
        return draft.reads().count(scan)
                + change(scan.now(), key -> key.group().equals(scan.group()) && scan.contains(key.key()));
    }

    /** Returns how many more rows the draft has among some keys than there were before it. */
    private long change(long at, Predicate<RowKey> wanted) {
        long change = 0;
        for (DraftRow slot : draft.rows().all()) {
            change += count(slot.current(), at, wanted) - count(slot.loaded(), at, wanted);
        }
        return change;
    }

    private static long count(@Nullable Row row, long at, Predicate<RowKey> wanted) {
        return row != null && row.isLiveAt(at) && wanted.test(row.key()) ? 1 : 0;
    }

    /**
     * Lists the groups that have a live row.
     *
     * @param groups the groups to look at
     * @return their names, in order
     */
    public List<String> groups(GroupRange groups) {
        TreeSet<String> names = new TreeSet<>(Utf8.ORDER);
        names.addAll(draft.reads().groups(groups, "", now(), Integer.MAX_VALUE));
        TreeSet<String> changed = new TreeSet<>(Utf8.ORDER);
        for (DraftRow slot : draft.rows().all()) {
            Row row = slot.current() == null ? slot.loaded() : slot.current();
            if (row != null && groups.contains(row.key().group())) {
                changed.add(row.key().group());
            }
        }
        for (String group : changed) {
            if (count(Scan.all(group, now())) > 0) {
                names.add(group);
            } else {
                names.remove(group);
            }
        }
        return List.copyOf(names);
    }

    /**
     * Starts a walk over committed rows in the order of their expiry. The transaction's own changes are not included.
     *
     * @param scan selects the rows
     * @return the walk
     */
    public ExpiryWalk expiries(ExpiryScan scan) {
        return draft.reads().expiries(scan);
    }

    /**
     * Reads committed retained rows.
     *
     * @param scan selects the rows
     * @return the first of the selected rows
     */
    public List<Row> retained(RetainedScan scan) {
        return draft.reads().retained(scan);
    }

    /**
     * Reads a committed row, live or expired.
     *
     * @param key the row
     * @return the row, or null if there is none
     */
    public @Nullable Row committed(RowKey key) {
        return draft.reads().read(key);
    }

    /**
     * Removes the live entries of groups.
     *
     * @param groups the groups
     * @return how many were removed
     */
    public long clear(GroupRange groups) {
        new ExpiredRows(draft, groups).removeAll(); // first, because they expired before the deletion
        long removed = 0;
        for (String group : groups(groups)) {
            long entries = 0;
            Scan scan = new Scan(group, "", null, false, now(), PAGE);
            RowPage page;
            do {
                page = scan(scan);
                draft.rows().adopt(page.rows());
                page.rows().forEach(draft::remove);
                entries += page.rows().size();
                if (page.more()) {
                    scan = scan.after(last(page.rows()).key().key());
                }
            } while (page.more());
            draft.log().groupDeleted(group, entries);
            removed += entries;
        }
        return removed;
    }

    private static Row last(List<Row> rows) {
        return rows.get(rows.size() - 1);
    }
}
