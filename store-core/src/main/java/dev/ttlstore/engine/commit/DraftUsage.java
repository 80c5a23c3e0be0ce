package dev.ttlstore.engine.commit;

import java.util.HashMap;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.engine.GroupRange;
import dev.ttlstore.engine.NamespaceUsage;
import dev.ttlstore.engine.Row;
import dev.ttlstore.exception.QuotaExceededException.Amounts;

/** The usage of a namespace with the changes of a commit in progress. Used by one thread. */
final class DraftUsage {

    private final NamespaceUsage committed;
    private final Map<String, Long> moreRows = new HashMap<>();
    private long moreKeys;
    private long moreGroups;
    private long moreBytes;

    /** Starts with what the last commit has left. */
    DraftUsage(NamespaceUsage committed) {
        this.committed = committed;
    }

    void change(String group, long rows, long bytes) {
        if (rows != 0) {
            long before = rows(group);
            moreRows.merge(group, rows, Long::sum);
            moreGroups += Math.min(before + rows, 1) - Math.min(before, 1);
            moreKeys += rows;
        }
        moreBytes += bytes;
    }

    /** Adds or removes a row, if it is in some groups. */
    void change(GroupRange groups, @Nullable Row row, int sign) {
        if (row != null && groups.contains(row.key().group())) {
            change(row.key().group(), sign, sign * row.bytes());
        }
    }

    /** Returns how many entries of a group are counted. */
    long rows(String group) {
        return committed.rowsOf(group) + moreRows.getOrDefault(group, 0L);
    }

    Amounts totals() {
        return new Amounts(committed.keys() + moreKeys, committed.groups() + moreGroups, committed.bytes() + moreBytes);
    }
}
