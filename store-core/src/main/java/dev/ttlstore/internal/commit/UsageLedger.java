package dev.ttlstore.internal.commit;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.engine.GroupRange;
import dev.ttlstore.engine.GroupUsage;
import dev.ttlstore.engine.Row;
import dev.ttlstore.internal.base.Namespaces;

/**
 * What namespaces with a quota take, kept up to date by every commit, so that checking a quota costs the same however much a
 * namespace holds. Counted once, when it is first needed; rows that have expired and still stand are counted too.
 *
 * <p>Quotas may be set by any thread; all else is guarded by the writer's lock.
 */
public final class UsageLedger {

    private final Map<String, QuotaGuard> quotas = new ConcurrentHashMap<>();
    private final Map<String, NamespaceUsage> tracked = new HashMap<>();

    /** Creates a ledger without quotas. */
    public UsageLedger() {}

    /**
     * Sets the quota of a namespace, for every write to it from now on.
     *
     * @param namespace the namespace
     * @param quota what it may take
     */
    public void setQuota(String namespace, QuotaGuard quota) {
        quotas.put(namespace, quota);
    }

    @Nullable
    QuotaGuard quota(String namespace) {
        return quotas.get(namespace);
    }

    /** Whether no commit need look at namespaces at all. */
    boolean isIdle() {
        return quotas.isEmpty() && tracked.isEmpty();
    }

    /** The usage of a namespace, counted now if it was not before: as it was committed, and what a draft makes of it. */
    NamespaceUsage require(String namespace, Draft draft) {
        NamespaceUsage usage = tracked.get(namespace);
        if (usage == null) {
            GroupRange groups = Namespaces.groups(namespace);
            usage = new NamespaceUsage();
            for (GroupUsage group : draft.reads().usage(groups)) {
                usage.change(group.group(), group.rows(), group.bytes());
            }
            for (Slot slot : draft.slots()) {
                usage.change(groups, slot.loaded(), -1);
                usage.change(groups, slot.current(), 1);
            }
            tracked.put(namespace, usage);
        }
        return usage;
    }

    /** The usage of the namespace that a group is in, where it has to be known; counted now if it was not before. */
    @Nullable
    NamespaceUsage of(String group, Draft draft) {
        String namespace = isIdle() ? null : Namespaces.of(group);
        if (namespace == null) {
            return null;
        }
        return quotas.containsKey(namespace) ? require(namespace, draft) : tracked.get(namespace);
    }

    /** The usage of the namespace that a group is in, if it has been counted. */
    @Nullable
    NamespaceUsage ifTracked(String group) {
        String namespace = tracked.isEmpty() ? null : Namespaces.of(group);
        return namespace == null ? null : tracked.get(namespace);
    }

    /** Forgets what was counted, to count it again when it is needed. */
    void reset() {
        tracked.clear();
    }

    /** What one namespace takes, by group. */
    static final class NamespaceUsage {

        private final Map<String, Cell> groups = new HashMap<>();
        private long keys;
        private long bytes;

        void change(String group, long moreRows, long moreBytes) {
            Cell cell = groups.computeIfAbsent(group, name -> new Cell());
            cell.rows += moreRows;
            cell.bytes += moreBytes;
            keys += moreRows;
            bytes += moreBytes;
            if (cell.rows == 0) {
                groups.remove(group);
            }
        }

        private void change(GroupRange groupsCounted, @Nullable Row row, int sign) {
            if (row != null && groupsCounted.contains(row.key().group())) {
                change(row.key().group(), sign, sign * row.bytes());
            }
        }

        void drop(String group) {
            Cell cell = groups.remove(group);
            if (cell != null) {
                keys -= cell.rows;
                bytes -= cell.bytes;
            }
        }

        /** How many entries of a group are counted. */
        long rows(String group) {
            Cell cell = groups.get(group);
            return cell == null ? 0 : cell.rows;
        }

        UsageTotals totals() {
            return new UsageTotals(keys, groups.size(), bytes);
        }

        /** A usage of its own with the same figures. */
        NamespaceUsage copy() {
            NamespaceUsage copy = new NamespaceUsage();
            groups.forEach((group, cell) -> copy.change(group, cell.rows, cell.bytes));
            return copy;
        }
    }

    private static final class Cell {
        private long rows;
        private long bytes;
    }
}
