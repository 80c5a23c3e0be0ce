package dev.ttlstore;

import java.io.Serial;

/** A write would have made a namespace take more than its quota. Nothing has been written. */
public final class QuotaExceededException extends StoreException {

    @Serial
    private static final long serialVersionUID = 1L;

    private final String namespace;
    private final transient Quota quota;
    private final transient Usage usage;

    /**
     * Creates the exception.
     *
     * @param namespace the namespace
     * @param quota what it may take
     * @param usage what it would have taken
     */
    public QuotaExceededException(String namespace, Quota quota, Usage usage) {
        super("The quota of namespace '" + namespace + "' is used up: the write would make it " + usage.keys()
                + " entries (of " + limit(quota.maxKeys()) + ") in " + usage.groups() + " groups (of "
                + limit(quota.maxGroups()) + ") with " + usage.bytes() + " bytes (of " + limit(quota.maxBytes())
                + "). Delete entries, let them expire earlier, or raise the quota");
        this.namespace = namespace;
        this.quota = quota;
        this.usage = usage;
    }

    private static String limit(long limit) {
        return limit == 0 ? "any number" : Long.toString(limit);
    }

    /**
     * The namespace whose quota is used up.
     *
     * @return its name
     */
    public String namespace() {
        return namespace;
    }

    /**
     * What the namespace may take.
     *
     * @return the quota
     */
    public Quota quota() {
        return quota;
    }

    /**
     * What the namespace would have taken.
     *
     * @return the usage that was refused
     */
    public Usage usage() {
        return usage;
    }
}
