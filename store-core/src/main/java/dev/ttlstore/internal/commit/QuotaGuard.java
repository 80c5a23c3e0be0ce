package dev.ttlstore.internal.commit;

/** What a namespace may take. Thread-safe. */
public interface QuotaGuard {

    /**
     * Whether a usage is within the quota.
     *
     * @param usage what the namespace would take
     * @return true if it is
     */
    boolean admits(UsageTotals usage);

    /**
     * What to tell the caller whose write was refused.
     *
     * @param namespace the namespace
     * @param usage what it would have taken
     * @return the exception to throw
     */
    RuntimeException refusal(String namespace, UsageTotals usage);
}
