package dev.ttlstore;

import java.time.Duration;

/**
 * The progress of a {@link StoreCopy}.
 *
 * @param phase what it does now
 * @param rows how many rows it has gone through in this phase: entries, retained entries, subscribers, deliveries
 * @param total how many rows there are, as counted at the beginning
 * @param elapsed how long the phase has taken so far
 * @since 0.1
 * @see StoreCopy#onProgress
 */
public record CopyProgress(Phase phase, long rows, long total, Duration elapsed) {

    /** What a copy does, in this order. */
    public enum Phase {

        /** Reads the source, and writes what the target does not have yet. */
        COPYING,

        /** Reads the target again, and compares it with what was read from the source. */
        VERIFYING
    }

    /**
     * Returns the speed of this phase so far.
     *
     * @return rows per second; 0 at the beginning
     */
    public double rate() {
        return elapsed.isZero() ? 0 : rows * 1e9 / elapsed.toNanos();
    }
}
