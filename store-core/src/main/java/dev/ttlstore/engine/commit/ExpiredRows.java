package dev.ttlstore.engine.commit;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;

import dev.ttlstore.engine.ExpiryRow;
import dev.ttlstore.engine.ExpiryScan;
import dev.ttlstore.engine.ExpiryWalk;
import dev.ttlstore.engine.GroupRange;
import dev.ttlstore.engine.Row;
import dev.ttlstore.engine.RowKey;
import dev.ttlstore.engine.commit.DraftRows.DraftRow;

/**
 * Removes the expired rows of some groups in a commit, some at a time, and publishes their expiries. The stored rows come in the
 * order of their expiry.
 */
final class ExpiredRows {

    private static final int AT_ONCE = 1_000;

    /** How much they take at once, though one may take more. */
    private static final long BYTES_AT_ONCE = 1 << 20;

    private final Draft draft;
    private final GroupRange groups;
    private final ExpiryWalk stored;
    private Iterator<ExpiryRow> page = Collections.emptyIterator();

    ExpiredRows(Draft draft, GroupRange groups) {
        this.draft = draft;
        this.groups = groups;
        this.stored = draft.committed().expiring(ExpiryScan.expired(groups, draft.now(), AT_ONCE));
    }

    /** Removes all of them. */
    void removeAll() {
        boolean more = true;
        while (more) {
            more = removeSome();
        }
    }

    /** Removes some of them. Returns false if there are none left. */
    boolean removeSome() {
        List<RowKey> loaded = loaded();
        if (!loaded.isEmpty()) {
            loaded.forEach(draft::live);
            return true;
        }
        List<RowKey> found = stored();
        if (found.isEmpty()) {
            return false;
        }
        draft.load(found);
        found.forEach(draft::live);
        return true;
    }

    /** Returns the next of the stored rows. */
    private List<RowKey> stored() {
        List<RowKey> found = new ArrayList<>();
        long bytes = 0;
        while (bytes < BYTES_AT_ONCE && (page.hasNext() || (found.isEmpty() && stored.hasMore()))) {
            if (!page.hasNext()) {
                page = stored.next().iterator();
                continue;
            }
            ExpiryRow row = page.next();
            if (!draft.rows().contains(row.key())) {
                found.add(row.key());
                bytes += row.bytes();
            }
        }
        return found;
    }

    /** Returns the expired rows among those that the commit has loaded, including rows that it made expire itself. */
    private List<RowKey> loaded() {
        List<RowKey> expired = new ArrayList<>();
        for (DraftRow draftRow : draft.rows().all()) {
            Row row = draftRow.current();
            if (row != null
                    && !row.isLiveAt(draft.now())
                    && groups.contains(row.key().group())) {
                expired.add(row.key());
            }
        }
        return expired;
    }
}
