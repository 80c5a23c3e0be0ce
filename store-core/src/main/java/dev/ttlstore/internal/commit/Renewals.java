package dev.ttlstore.internal.commit;

import java.util.Map;

import dev.ttlstore.engine.GroupRange;
import dev.ttlstore.engine.Row;
import dev.ttlstore.engine.RowKey;

/**
 * The entries that a draft keeps alive, because it gives them a later expiry or replaces them. Readers may call this
 * while the draft is being committed; the draft does not change then.
 */
final class Renewals {

    private final Map<RowKey, DraftRow> draftRows;
    private final long now;

    /**
     * Creates the view of a draft.
     *
     * @param draftRows the rows of the draft
     * @param now the time by which the draft has decided
     */
    Renewals(Map<RowKey, DraftRow> draftRows, long now) {
        this.draftRows = draftRows;
        this.now = now;
    }

    /**
     * Tests whether an entry that the draft keeps alive has expired since the draft decided. Readers may have seen it
     * expire, and must not see it again.
     *
     * @param time the time of the commit
     */
    boolean areOvertaken(long time) {
        for (DraftRow draftRow : draftRows.values()) {
            Row loaded = draftRow.loaded();
            if (loaded != null && draftRow.current() != null && draftRow.isChanged() && expires(loaded, time)) {
                return true;
            }
        }
        return false;
    }

    private boolean expires(Row row, long time) {
        return row.expiresAt() > now && row.expiresAt() <= time;
    }

    /** Tests whether the draft gives any entry a later expiry. */
    boolean isAny() {
        for (DraftRow draftRow : draftRows.values()) {
            if (draftRow.isRenewed()) {
                return true;
            }
        }
        return false;
    }

    /** Tests whether the draft gives a later expiry to an entry whose committed expiry has passed at a time. */
    boolean contain(RowKey key, long time) {
        DraftRow draftRow = draftRows.get(key);
        return draftRow != null && draftRow.isRenewedAfter(time);
    }

    /**
     * Tests whether the draft gives a later expiry to any entry of some groups whose committed expiry has passed at a
     * time.
     */
    boolean contain(GroupRange groups, long time) {
        for (Map.Entry<RowKey, DraftRow> entry : draftRows.entrySet()) {
            if (entry.getValue().isRenewedAfter(time)
                    && groups.contains(entry.getKey().group())) {
                return true;
            }
        }
        return false;
    }
}
