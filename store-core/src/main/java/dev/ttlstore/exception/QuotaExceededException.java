package dev.ttlstore.exception;

import java.io.Serial;
import java.io.Serializable;

/** A write would have made a namespace take more than its quota. Nothing has been written. */
public final class QuotaExceededException extends StoreException {

    @Serial
    private static final long serialVersionUID = 1L;

    private final String namespace;
    private final Amounts limits;
    private final Amounts needed;

    /**
     * Amounts of what a quota counts.
     *
     * @param keys entries
     * @param groups groups
     * @param bytes bytes of keys and values
     */
    public record Amounts(long keys, long groups, long bytes) implements Serializable {}

    /**
     * Creates the exception.
     *
     * @param namespace the namespace
     * @param limits what it may take; zero is any number
     * @param needed what it would have taken
     */
    public QuotaExceededException(String namespace, Amounts limits, Amounts needed) {
        super("The quota of namespace '" + namespace + "' is used up: the write would make it " + needed.keys()
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
     * @return the limits; zero is any number
     */
    public Amounts limits() {
        return limits;
    }

    /**
     * What the namespace would have taken.
     *
     * @return the amounts that were refused
     */
    public Amounts needed() {
        return needed;
    }
}
