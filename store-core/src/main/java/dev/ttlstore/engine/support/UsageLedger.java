package dev.ttlstore.engine.support;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.engine.ExpiryRow;
import dev.ttlstore.engine.GroupRange;
import dev.ttlstore.engine.GroupUsage;
import dev.ttlstore.engine.NamespaceUsage;
import dev.ttlstore.engine.Namespaces;
import dev.ttlstore.engine.RowChange;

import static java.util.Objects.requireNonNull;

/**
 * The usage of namespaces in a store that one process owns, kept in memory. The rows of a namespace are counted when its usage is
 * first asked for. After that, each commit updates it, so the cost does not depend on the size of the namespace.
 *
 * <p>Used by the one thread that writes.
 *
 * @since 0.1
 */
public final class UsageLedger {

    /** Concurrent, because a check of the engine may write and fail beside the writer, which resets the ledger. */
    private final Map<String, Counted> namespaces = new ConcurrentHashMap<>();

    /** Creates a ledger that has counted nothing. */
    public UsageLedger() {}

    /**
     * Returns the usage of a namespace, and counts it if it was not counted before.
     *
     * @param namespace the namespace
     * @param count counts what is committed, and nothing else, by group
     * @return its usage
     */
    public NamespaceUsage of(String namespace, Function<GroupRange, List<GroupUsage>> count) {
        Counted counted = namespaces.get(namespace);
        if (counted == null) {
            counted = counted(namespace, count);
            namespaces.put(namespace, counted);
        }
        return counted.usage();
    }

    private static Counted counted(String namespace, Function<GroupRange, List<GroupUsage>> count) {
        Counted counted = new Counted();
        for (GroupUsage group : count.apply(Namespaces.groups(namespace))) {
            counted.change(group.group(), group.rows(), group.bytes());
        }
        return counted;
    }

    /**
     * Returns what is counted now, to compare it with the rows.
     *
     * @return the usage of the groups of each counted namespace
     */
    public Map<String, List<GroupUsage>> counted() {
        Map<String, List<GroupUsage>> all = new TreeMap<>();
        namespaces.forEach((namespace, counted) -> all.put(namespace, List.copyOf(counted.groups.values())));
        return all;
    }

    /**
     * Tests whether nothing is counted, so that a change need not be told.
     *
     * @return whether no usage was asked for yet
     */
    public boolean isEmpty() {
        return namespaces.isEmpty();
    }

    /**
     * Starts to collect the changes of a transaction.
     *
     * @return the changes
     */
    public Changes changes() {
        return new Changes();
    }

    /** Forgets all counts, because it is not known whether a commit was made. They are counted again when needed. */
    public void reset() {
        namespaces.clear();
    }

    /** The changes of one transaction. They are dropped if it is rolled back. */
    public final class Changes {

        private final Map<String, Change> groups = new LinkedHashMap<>();

        private Changes() {}

        /**
         * Adds the change of a row.
         *
         * @param change the change
         */
        public void add(RowChange change) {
            Change sum = of(change.key().group());
            if (sum != null) {
                sum.add(change.addedRows(), change.addedBytes());
            }
        }

        /**
         * Adds the removal of expired rows.
         *
         * @param rows the rows
         */
        public void removed(List<ExpiryRow> rows) {
            for (ExpiryRow row : rows) {
                Change sum = of(row.key().group());
                if (sum != null) {
                    sum.add(-1, -row.bytes());
                }
            }
        }

        /**
         * Adds the removal of all rows of a group.
         *
         * @param group the full group name
         */
        public void removed(String group) {
            Change sum = of(group);
            if (sum != null) {
                sum.clear();
            }
        }

        /** Returns the changes of a group; null if its namespace is not counted. */
        private @Nullable Change of(String group) {
            String namespace = namespaces.isEmpty() ? null : Namespaces.of(group);
            return namespace == null || !namespaces.containsKey(namespace)
                    ? null
                    : groups.computeIfAbsent(group, name -> new Change());
        }

        /** Applies the changes, after the commit. */
        public void committed() {
            groups.forEach((group, change) -> {
                String namespace = requireNonNull(Namespaces.of(group));
                Counted counted = namespaces.get(namespace);
                if (counted != null) {
                    change.applyTo(counted, group);
                }
            });
        }
    }

    private static final class Change {
        private boolean cleared;
        private long rows;
        private long bytes;

        void add(long moreRows, long moreBytes) {
            rows += moreRows;
            bytes += moreBytes;
        }

        void clear() {
            cleared = true;
            rows = 0;
            bytes = 0;
        }

        void applyTo(Counted counted, String group) {
            if (cleared) {
                counted.clear(group);
            }
            counted.change(group, rows, bytes);
        }
    }

    private static final class Counted {
        private final Map<String, GroupUsage> groups = new HashMap<>();
        private long keys;
        private long bytes;

        void change(String group, long moreRows, long moreBytes) {
            GroupUsage before = groups.getOrDefault(group, new GroupUsage(group, 0, 0));
            GroupUsage after = new GroupUsage(group, before.rows() + moreRows, before.bytes() + moreBytes);
            if (after.rows() == 0) {
                groups.remove(group);
            } else {
                groups.put(group, after);
            }
            keys += moreRows;
            bytes += moreBytes;
        }

        void clear(String group) {
            GroupUsage cleared = groups.remove(group);
            if (cleared != null) {
                keys -= cleared.rows();
                bytes -= cleared.bytes();
            }
        }

        NamespaceUsage usage() {
            return new NamespaceUsage(keys, groups.size(), bytes, this::rows);
        }

        private long rows(String group) {
            GroupUsage usage = groups.get(group);
            return usage == null ? 0 : usage.rows();
        }
    }
}
