package dev.ttlstore.verification;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * The result of a repair.
 *
 * @param file the repaired file
 * @param original the file as it was before the repair, under another name; null if it was sound, and so was left as it is
 * @param sideFile the rows that are not in the repaired file, as lines of JSON with their values; null if there are none
 * @param kept how many rows are in the repaired file: entries, retained entries, deliveries and subscribers
 * @param moved how many rows are in the side file
 * @param findings what was wrong, in the order in which it was found; at most {@link VerificationReport#MOST_FINDINGS}
 * @param total how much was wrong, also beyond that bound
 * @param complete whether all tables could be read to their end; false if rows may be lost
 * @param elapsed how long it took
 * @since 0.1
 * @see dev.ttlstore.sqlite.Sqlite#repair
 * @see Finding
 */
public record RepairReport(
        Path file,
        @Nullable Path original,
        @Nullable Path sideFile,
        long kept,
        long moved,
        List<Finding> findings,
        long total,
        boolean complete,
        Duration elapsed) {

    /**
     * Copies the list.
     *
     * @param file the repaired file
     * @param original the file as it was before the repair, under another name
     * @param sideFile the rows that are not in the repaired file, as lines of JSON with their values
     * @param kept how many rows are in the repaired file: entries, retained entries, deliveries and subscribers
     * @param moved how many rows are in the side file
     * @param findings what was wrong, in the order in which it was found
     * @param total how much was wrong, also beyond that bound
     * @param complete whether all tables could be read to their end
     * @param elapsed how long it took
     */
    public RepairReport {
        findings = List.copyOf(findings);
    }
}
