package dev.ttlstore.engine;

import java.util.Collection;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import org.jspecify.annotations.Nullable;

/** The quotas of namespaces. Thread-safe. */
public final class QuotaGuards {

    private final Map<String, QuotaGuard> quotas = new ConcurrentHashMap<>();

    /** Creates an empty set of quotas. */
    public QuotaGuards() {}

    /**
     * Sets the quota of a namespace, for all later writes to it.
     *
     * @param namespace the namespace
     * @param quota the quota
     */
    public void set(String namespace, QuotaGuard quota) {
        quotas.put(namespace, quota);
    }

    /**
     * Returns a quota.
     *
     * @param namespace the namespace
     * @return its quota; null if it has none
     */
    public @Nullable QuotaGuard of(String namespace) {
        return quotas.get(namespace);
    }

    /**
     * Finds the quota of a group.
     *
     * @param group the full group name
     * @return its namespace if that has a quota; otherwise null
     */
    public @Nullable String limited(String group) {
        String namespace = quotas.isEmpty() ? null : Namespaces.of(group);
        return namespace != null && quotas.containsKey(namespace) ? namespace : null;
    }

    /**
     * Tests whether a request needs more than its rows.
     *
     * @param request the request
     * @return whether one of its rows is in a namespace that has a quota
     */
    public boolean isLimiting(Request request) {
        return !quotas.isEmpty() && !limited(request.keys()).isEmpty();
    }

    /**
     * Finds the quotas of rows.
     *
     * @param keys the names of the rows
     * @return those of their namespaces that have a quota
     */
    public Set<String> limited(Collection<RowKey> keys) {
        if (quotas.isEmpty()) {
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
}
