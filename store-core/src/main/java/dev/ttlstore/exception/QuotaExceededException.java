package dev.ttlstore.exception;

import java.io.Serial;
import java.io.Serializable;

/**
 * A write would have exceeded the quota of a namespace. Nothing was written.
 *
 * @since 0.1
 * @see StoreException
 */
public final class QuotaExceededException extends StoreException {

    @Serial
    private static final long serialVersionUID = 1L;

    private final String namespace;
    private final Amounts limits;
    private final Amounts needed;

    /**
     * The amounts that a quota limits.
     *
     * @param keys the number of entries
     * @param groups the number of groups
     * @param bytes the size of keys and values, in bytes
     */
    public record Amounts(long keys, long groups, long bytes) implements Serializable {}

    /**
     * Creates the exception.
     *
     * @param namespace the namespace
     * @param limits its limits; zero means no limit
     * @param needed the amounts after the refused write
     */
    public QuotaExceededException(String namespace, Amounts limits, Amounts needed) {
        super("The quota of namespace '" + namespace + "' is exceeded: the write would bring it to " + needed.keys()
                + " entries (of " + limit(limits.keys()) + ") in " + needed.groups() + " groups (of "
                + limit(limits.groups()) + ") with " + needed.bytes() + " bytes (of " + limit(limits.bytes())
                + "). Delete entries, let them expire earlier, or raise the quota");
        this.namespace = namespace;
        this.limits = limits;
        this.needed = needed;
    }

    private static String limit(long limit) {
        return limit == 0 ? "any number" : Long.toString(limit);
    }

    /**
     * Returns the namespace whose quota would have been exceeded.
     *
     * @return its name
     */
    public String namespace() {
        return namespace;
    }

    /**
     * Returns the limits of the namespace.
     *
     * @return the limits; zero means no limit
     */
    public Amounts limits() {
        return limits;
    }

    /**
     * Returns the amounts that the namespace would have used after the write.
     *
     * @return the refused amounts
     */
    public Amounts needed() {
        return needed;
    }
}
