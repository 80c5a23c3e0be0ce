package dev.ttlstore.engine.commit;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.engine.ExpiryScan;
import dev.ttlstore.engine.ExpiryScan.Wanted;
import dev.ttlstore.engine.ExpiryWalk;
import dev.ttlstore.engine.GroupInfo;
import dev.ttlstore.engine.GroupRange;
import dev.ttlstore.engine.Reads;
import dev.ttlstore.engine.Row;
import dev.ttlstore.engine.RowKey;
import dev.ttlstore.engine.RowPage;
import dev.ttlstore.engine.Scan;
import dev.ttlstore.engine.Utf8;
import dev.ttlstore.engine.commit.DraftRows.DraftRow;

/**
 * Reads the store as a transaction sees it: the committed rows, overlaid by the transaction's own changes. It judges them by the
 * transaction's time. Expired rows, retained rows and walks are as they were committed.
 *
 * @param draft has the changes
 */
record OverlayReads(Draft draft) implements Reads {

    @Override
    public @Nullable Row get(RowKey key, long at) {
        return at == ALL
                ? draft.committed().get(key, ALL)
                : get(List.of(key), at).get(key);
    }

    @Override
    public Map<RowKey, Row> get(Collection<RowKey> keys, long at) {
        if (at == ALL) {
            return draft.committed().get(keys, ALL);
        }
        draft.load(keys);
        Map<RowKey, Row> rows = new HashMap<>();
        for (RowKey key : keys) {
            Row row = draft.rows().get(key).current();
            if (row != null && row.isLiveAt(judged(at))) {
                rows.put(row.key(), row);
            }
        }
        return rows;
    }

    /** Returns the time at which rows are live for a read. */
    private long judged(long at) {
        return Math.max(at, draft.now());
    }

    @Override
    public RowPage page(Scan scan) {
        return scan.at() == ALL ? draft.committed().page(scan) : merged(scan.at(judged(scan.at())));
    }

    private RowPage merged(Scan scan) {
        Scan rest = scan;
        while (true) {
            RowPage page = draft.committed().page(rest);
            RowPage merged = merge(page, rest);
            if (!merged.rows().isEmpty() || !merged.more()) {
                return merged;
            }
            rest = rest.after(page.last()); // the draft has no row up to here
        }
    }

    /**
     * Returns the rows of a page, with the draft's rows in place of those that it has changed, and the rows that the
     * draft has added to the page's range.
     */
    private RowPage merge(RowPage page, Scan scan) {
        Comparator<Row> order = scan.comparator();
        Row end = page.more() ? page.last() : null;
        List<Row> merged = new ArrayList<>();
        for (Row row : page.rows()) {
            if (!draft.rows().contains(row.key())) {
                merged.add(row);
            }
        }
        int committed = merged.size();
        for (DraftRow draftRow : draft.rows().all()) {
            Row row = draftRow.current();
            if (row != null && scan.contains(row) && (end == null || order.compare(row, end) <= 0)) {
                merged.add(row);
            }
        }
        boolean own = page.own() && merged.size() == committed; // the draft keeps its rows
        merged.sort(order);
        return merged.size() > scan.limit()
                ? new RowPage(merged.subList(0, scan.limit()), true, own)
                : new RowPage(merged, page.more(), own);
    }

    @Override
    public long count(Scan scan) {
        Scan judged = scan.at(judged(scan.at()));
        long count = draft.committed().count(judged);
        for (DraftRow draftRow : draft.rows().all()) {
            count += count(draftRow.current(), judged) - count(draftRow.loaded(), judged);
        }
        return count;
    }

    private static long count(@Nullable Row row, Scan scan) {
        return row != null && scan.contains(row) ? 1 : 0;
    }

    @Override
    public List<GroupInfo> groups(Scan scan) {
        if (scan.at() == ALL) {
            return draft.committed().groups(scan);
        }
        GroupRange groups = scan.groups();
        long at = judged(scan.at());
        TreeSet<String> names = new TreeSet<>(Utf8.ORDER);
        draft.committed().groups(Scan.groups(groups, at, Integer.MAX_VALUE)).forEach(found -> names.add(found.group()));
        TreeSet<String> changed = new TreeSet<>(Utf8.ORDER);
        for (DraftRow draftRow : draft.rows().all()) {
            Row row = draftRow.current() == null ? draftRow.loaded() : draftRow.current();
            if (row != null && groups.contains(row.key().group())) {
                changed.add(row.key().group());
            }
        }
        for (String group : changed) {
            if (count(Scan.groups(GroupRange.only(group), at, 1)) > 0) {
                names.add(group);
            } else {
                names.remove(group);
            }
        }
        return names.stream().limit(scan.limit()).map(GroupInfo::of).toList();
    }

    @Override
    public ExpiryWalk expiring(ExpiryScan scan) {
        long next = draft.now() + 1;
        long from = scan.wanted() == Wanted.LIVE ? Math.max(scan.from(), next) : scan.from();
        long to = scan.wanted() == Wanted.EXPIRED ? Math.min(scan.to(), next) : scan.to();
        return draft.committed().expiring(new ExpiryScan(scan.groups(), from, to, Wanted.ALL, scan.pageSize()));
    }
}
