package dev.ttlstore.internal.commit;

import java.util.Collection;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.engine.Namespaces;
import dev.ttlstore.engine.Request;
import dev.ttlstore.engine.RowKey;

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

    @Nullable
    QuotaGuard of(String namespace) {
        return quotas.get(namespace);
    }

    /** Returns the namespace of a group if it has a quota; otherwise null. */
    @Nullable
    String limited(String group) {
        String namespace = quotas.isEmpty() ? null : Namespaces.of(group);
        return namespace != null && quotas.containsKey(namespace) ? namespace : null;
    }

    /** Tests whether a request looks at rows of a namespace that has a quota. */
    boolean isLimiting(Request request) {
        return !quotas.isEmpty() && !limited(request.keys()).isEmpty();
    }

    /** Returns the namespaces of rows that have a quota. */
    Set<String> limited(Collection<RowKey> keys) {
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
