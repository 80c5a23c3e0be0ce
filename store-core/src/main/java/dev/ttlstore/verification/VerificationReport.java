package dev.ttlstore.verification;

import java.time.Duration;
import java.util.List;

/**
 * The result of a verification.
 *
 * @param rows how many rows were read: entries, retained entries, deliveries and subscribers
 * @param findings what is wrong, in the order in which it was found; at most {@link #MOST_FINDINGS}
 * @param total how much is wrong, also beyond that bound
 * @param elapsed how long it took
 * @since 0.1
 * @see dev.ttlstore.Store#verify
 * @see dev.ttlstore.sqlite.Sqlite#verify
 * @see Finding
 */
public record VerificationReport(long rows, List<Finding> findings, long total, Duration elapsed) {

    /** The most findings that a report lists. */
    public static final int MOST_FINDINGS = 1_000;

    /**
     * Copies the list.
     *
     * @param rows how many rows were read: entries, retained entries, deliveries and subscribers
     * @param findings what is wrong, in the order in which it was found
     * @param total how much is wrong, also beyond that bound
     * @param elapsed how long it took
     */
    public VerificationReport {
        findings = List.copyOf(findings);
    }

    /**
     * Returns whether nothing is wrong.
     *
     * @return true if nothing was found
     */
    public boolean isSound() {
        return total == 0;
    }
}
