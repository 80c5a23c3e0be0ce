package dev.ttlstore.verification;

import java.time.Duration;

/**
 * The progress of a verification or a repair.
 *
 * @param step what it is doing, such as {@code structure} or {@code entries}
 * @param rows how many rows it has looked at so far, in all steps; the structure of a file is not read row by row
 * @param findings how much it has found so far
 * @param elapsed how long it has taken so far
 * @since 0.1
 * @see dev.ttlstore.Store#verify
 * @see dev.ttlstore.sqlite.Sqlite#repair
 */
public record VerificationProgress(String step, long rows, long findings, Duration elapsed) {}
