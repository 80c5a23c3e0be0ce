package dev.ttlstore.engine;

/** The quota of a namespace. Thread-safe. */
public interface QuotaGuard {

    /**
     * Tests whether a usage is within the quota.
     *
     * @param usage the usage that the namespace would have
     * @return whether it is
     */
    boolean admits(UsageTotals usage);

    /**
     * Creates the exception for a caller whose write is refused.
     *
     * @param namespace the namespace
     * @param usage the usage that the namespace would have
     * @return the exception
     */
    RuntimeException refusal(String namespace, UsageTotals usage);
}
