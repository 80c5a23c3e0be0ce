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
 * The usage of namespaces that have a quota. Every commit updates it, so the cost of checking a quota does not depend
 * on the size of the namespace. The rows of a namespace are counted once, when the usage is first needed. Expired
 * rows that were not removed yet are included.
 *
 * <p>Any thread may set quotas. The writer's lock guards everything else.
 */
public final class UsageLedger {

    private final Map<String, QuotaGuard> quotas = new ConcurrentHashMap<>();
    private final Map<String, NamespaceUsage> tracked = new HashMap<>();

    /** Creates a ledger without quotas. */
    public UsageLedger() {}

    /**
     * Sets the quota of a namespace, for all later writes to it.
     *
     * @param namespace the namespace
     * @param quota the quota
     */
    public void setQuota(String namespace, QuotaGuard quota) {
        quotas.put(namespace, quota);
    }

    @Nullable
    QuotaGuard quota(String namespace) {
        return quotas.get(namespace);
    }

    /** Tests whether commits can ignore namespaces, because none has a quota or a counted usage. */
    boolean isIdle() {
        return quotas.isEmpty() && tracked.isEmpty();
    }

    /** Returns the usage of a namespace, with the changes of a draft. Counts it if it was not counted before. */
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

    /**
     * Returns the usage of a group's namespace; null if nothing needs it. Counts it if the namespace has a quota and
     * was not counted before.
     */
    @Nullable
    NamespaceUsage of(String group, Draft draft) {
        String namespace = isIdle() ? null : Namespaces.of(group);
        if (namespace == null) {
            return null;
        }
        return quotas.containsKey(namespace) ? require(namespace, draft) : tracked.get(namespace);
    }

    /** Returns the usage of a group's namespace; null if it was not counted. */
    @Nullable
    NamespaceUsage ifTracked(String group) {
        String namespace = tracked.isEmpty() ? null : Namespaces.of(group);
        return namespace == null ? null : tracked.get(namespace);
    }

    /** Discards all counts. They are counted again when they are needed. */
    void reset() {
        tracked.clear();
    }

    /** The usage of one namespace, by group. */
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

        /** Returns how many entries of a group are counted. */
        long rows(String group) {
            Cell cell = groups.get(group);
            return cell == null ? 0 : cell.rows;
        }

        UsageTotals totals() {
            return new UsageTotals(keys, groups.size(), bytes);
        }

        /** Returns an independent copy. */
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
