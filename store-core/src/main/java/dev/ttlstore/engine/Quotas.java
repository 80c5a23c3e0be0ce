package dev.ttlstore.engine;

import java.util.Collection;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.exception.QuotaExceededException;
import dev.ttlstore.exception.QuotaExceededException.Amounts;

/**
 * The quotas of namespaces. Thread-safe.
 *
 * @since 0.1
 */
public final class Quotas {

    private final Map<String, Amounts> limits = new ConcurrentHashMap<>();
    private final LongAdder refusals = new LongAdder();

    /** Creates an empty set of quotas. */
    public Quotas() {}

    /**
     * Sets the quota of a namespace, for all later writes to it.
     *
     * @param namespace the namespace
     * @param quota its limits; zero for no limit
     */
    public void set(String namespace, Amounts quota) {
        limits.put(namespace, quota);
    }

    /**
     * Returns a quota.
     *
     * @param namespace the namespace
     * @return its limits; null if it has no quota
     */
    public @Nullable Amounts of(String namespace) {
        return limits.get(namespace);
    }

    /**
     * Finds the quota of a group.
     *
     * @param group the full group name
     * @return its namespace if that has a quota; otherwise null
     */
    public @Nullable String limited(String group) {
        String namespace = limits.isEmpty() ? null : Namespaces.of(group);
        return namespace != null && limits.containsKey(namespace) ? namespace : null;
    }

    /**
     * Finds the quotas of rows.
     *
     * @param keys the names of the rows
     * @return those of their namespaces that have a quota
     */
    public Set<String> limited(Collection<RowKey> keys) {
        if (limits.isEmpty()) {
            return Set.of();
        }
        Set<String> namespaces = new HashSet<>();
        for (RowKey key : keys) {
            String namespace = limited(key.group());
            if (namespace != null) {
                namespaces.add(namespace);
            }
        }
        return namespaces;
    }

    /**
     * Tests whether a usage is within a quota.
     *
     * @param quota the limits
     * @param usage the usage that the namespace would have
     * @return whether it is
     */
    public static boolean admits(Amounts quota, Amounts usage) {
        return isWithin(usage.keys(), quota.keys())
                && isWithin(usage.groups(), quota.groups())
                && isWithin(usage.bytes(), quota.bytes());
    }

    private static boolean isWithin(long used, long limit) {
        return limit == 0 || used <= limit;
    }

    /**
     * Refuses a write, and counts that.
     *
     * @param namespace the namespace
     * @param quota its limits
     * @param usage the usage that it would have
     * @return the exception for the caller
     */
    public QuotaExceededException refusal(String namespace, Amounts quota, Amounts usage) {
        refusals.increment();
        return new QuotaExceededException(namespace, quota, usage);
    }

    /**
     * Returns how many writes were refused.
     *
     * @return the count since this was created
     */
    public long refusals() {
        return refusals.sum();
    }
}
