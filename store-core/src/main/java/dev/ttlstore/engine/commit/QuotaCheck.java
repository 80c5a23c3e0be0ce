package dev.ttlstore.engine.commit;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.LongSupplier;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.engine.EngineView;
import dev.ttlstore.engine.GroupRange;
import dev.ttlstore.engine.NamespaceUsage;
import dev.ttlstore.engine.Namespaces;
import dev.ttlstore.engine.Quotas;
import dev.ttlstore.engine.Row;
import dev.ttlstore.engine.RowChange;
import dev.ttlstore.engine.WriteSet;
import dev.ttlstore.engine.commit.DraftRows.DraftRow;
import dev.ttlstore.exception.QuotaExceededException.Amounts;

import static java.util.Objects.requireNonNull;

/**
 * Checks a request against the quotas of the namespaces that it has changed. If a namespace seems full, its expired
 * entries are removed first, so that only live ones count.
 */
final class QuotaCheck {

    private final Quotas quotas;
    private final DraftRows rows;
    private final LongSupplier now;
    private final Function<GroupRange, BooleanSupplier> reclaim;
    /** Made when a namespace with a quota is met; most commits meet none. */
    private Map<String, Usage> usages = Map.of();

    private Map<String, Touched> touched = Map.of();

    /**
     * Creates the check of a commit.
     *
     * @param quotas the quotas of namespaces
     * @param rows the rows of the commit
     * @param now the time by which the commit decides
     * @param reclaim removes some expired rows of groups at each call, and answers whether there were any
     */
    QuotaCheck(Quotas quotas, DraftRows rows, LongSupplier now, Function<GroupRange, BooleanSupplier> reclaim) {
        this.quotas = quotas;
        this.rows = rows;
        this.now = now;
        this.reclaim = reclaim;
    }

    /** Takes the usage of namespaces that was loaded with the commit's first rows. */
    void loaded(Map<String, NamespaceUsage> usage) {
        usage.forEach((namespace, committed) -> add(namespace, new Usage(committed)));
    }

    /** Starts the check of a request. */
    void begin() {
        touched = Map.of();
    }

    /** Counts a changed row in the usage of its namespace and against the quota. */
    void changed(@Nullable Row before, @Nullable Row after) {
        Row either = before == null ? after : before;
        if (either == null) {
            return;
        }
        String group = either.key().group();
        String namespace = quotas.limited(group);
        if (namespace == null) {
            return;
        }
        Usage usage = usage(namespace);
        touched = touched.isEmpty() ? new HashMap<>() : touched;
        touched.computeIfAbsent(namespace, name -> new Touched(usage)).count(before, after, now.getAsLong());
    }

    /** Returns the usage of a namespace, with the draft's changes so far. Loads it if that was not done before. */
    Usage usage(String namespace) {
        Usage usage = usages.get(namespace);
        if (usage == null) {
            GroupRange groups = Namespaces.groups(namespace);
            usage = new Usage(rows.loadUsage(namespace));
            for (DraftRow draftRow : rows.all()) {
                usage.change(groups, draftRow.loaded(), -1);
                usage.change(groups, draftRow.current(), 1);
            }
            add(namespace, usage);
        }
        return usage;
    }

    private void add(String namespace, Usage usage) {
        usages = usages.isEmpty() ? new HashMap<>() : usages;
        usages.put(namespace, usage);
    }

    /** Throws the quota's exception if the request has made a namespace grow beyond its quota. */
    void requireWithin() {
        if (touched.isEmpty()) {
            return;
        }
        // A copy, because reclaiming touches namespaces too.
        for (Map.Entry<String, Touched> entry : List.copyOf(touched.entrySet())) {
            String namespace = entry.getKey();
            Touched change = entry.getValue();
            Amounts quota = quotas.of(namespace);
            if (quota == null || !change.mayHaveGrown()) {
                continue;
            }
            if (!Quotas.admits(quota, change.usage.totals())) {
                BooleanSupplier expired = reclaim.apply(Namespaces.groups(namespace));
                boolean removed = true;
                while (removed && !Quotas.admits(quota, change.usage.totals())) {
                    removed = expired.getAsBoolean();
                }
            }
            if (!Quotas.admits(quota, change.grown())) {
                throw quotas.refusal(namespace, quota, change.usage.totals());
            }
        }
    }

    /**
     * Tests whether what a transaction writes is within the quotas of namespaces, as they are used now. Expired entries count.
     *
     * @param writes what it writes
     * @param quotas the quotas
     * @param present has the usage of the namespaces now
     * @param namespaces the namespaces whose usage has changed since the transaction has read it
     */
    static boolean isWithin(WriteSet writes, Quotas quotas, EngineView present, Set<String> namespaces) {
        if (namespaces.isEmpty()) {
            return true;
        }
        Map<String, NamespaceUsage> usage = present.load(List.of(), namespaces).usage();
        return usage.entrySet().stream().allMatch(now -> {
            Amounts quota = quotas.of(now.getKey());
            return quota == null || isWithin(writes, quota, now.getKey(), now.getValue());
        });
    }

    private static boolean isWithin(WriteSet writes, Amounts quota, String namespace, NamespaceUsage present) {
        Touched touched = new Touched(new Usage(present));
        for (RowChange change : writes.rows()) {
            if (namespace.equals(Namespaces.of(change.key().group()))) {
                touched.count(change.before(), change.after(), writes.by());
            }
        }
        return !touched.mayHaveGrown() || Quotas.admits(quota, touched.grown());
    }

    /** The usage of a namespace with the changes of a commit in progress. Used by one thread. */
    static final class Usage {

        private final NamespaceUsage committed;
        private final Map<String, Long> moreRows = new HashMap<>();
        private long moreKeys;
        private long moreGroups;
        private long moreBytes;

        /** Starts with what the last commit has left. */
        Usage(NamespaceUsage committed) {
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
            return new Amounts(
                    committed.keys() + moreKeys, committed.groups() + moreGroups, committed.bytes() + moreBytes);
        }
    }

    /** The changes of a request in one namespace. */
    private static final class Touched {
        private final Usage usage;
        private final Map<String, Long> moreRows = new HashMap<>();
        private long moreBytes;

        private Touched(Usage usage) {
            this.usage = usage;
        }

        /** Counts a changed row in the usage. Only live rows count against the quota. */
        private void count(@Nullable Row before, @Nullable Row after, long now) {
            Row either = before == null ? requireNonNull(after) : before;
            String group = either.key().group();
            usage.change(group, count(after) - count(before), bytes(after) - bytes(before));
            Row liveBefore = ifLive(before, now);
            Row live = ifLive(after, now);
            moreRows.merge(group, count(live) - count(liveBefore), Long::sum);
            moreBytes += bytes(live) - bytes(liveBefore);
        }

        private static @Nullable Row ifLive(@Nullable Row row, long now) {
            return row != null && row.isLiveAt(now) ? row : null;
        }

        private static long count(@Nullable Row row) {
            return row == null ? 0 : 1;
        }

        private static long bytes(@Nullable Row row) {
            return row == null ? 0 : row.bytes();
        }

        private boolean mayHaveGrown() {
            return moreBytes > 0 || moreRows.values().stream().anyMatch(rows -> rows > 0);
        }

        /**
         * Returns the usage in those figures that the request has increased, and zero for the others: a namespace that exceeds its quota still
         * accepts writes that do not increase the exceeded figure. It is exact once no expired rows are counted.
         */
        private Amounts grown() {
            long keys = 0;
            long groups = 0;
            for (Map.Entry<String, Long> group : moreRows.entrySet()) {
                long more = group.getValue();
                long now = usage.rows(group.getKey());
                keys += more;
                groups += Math.min(now, 1) - Math.min(now - more, 1);
            }
            Amounts all = usage.totals();
            return new Amounts(
                    keys > 0 ? all.keys() : 0, groups > 0 ? all.groups() : 0, moreBytes > 0 ? all.bytes() : 0);
        }
    }
}
