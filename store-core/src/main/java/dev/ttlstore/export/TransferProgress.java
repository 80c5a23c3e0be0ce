package dev.ttlstore.export;

import java.time.Duration;

/**
 * The progress of an export or an import.
 *
 * @param phase what it does now
 * @param entries how many entries it has gone through in this phase
 * @param done how much of the total is done: entries of an export, bytes of the file of an import
 * @param total how much there is, as counted at the beginning; an export beside writers may end with less or more
 * @param elapsed how long the phase has taken so far
 * @since 0.1
 * @see StoreExport#onProgress
 * @see StoreImport#onProgress
 */
public record TransferProgress(Phase phase, long entries, long done, long total, Duration elapsed) {

    /** What is done. */
    public enum Phase {

        /** Writes entries to a file or a stream. */
        EXPORTING,

        /** Reads all lines of a file, and checks them. Nothing is written. */
        VALIDATING,

        /** Reads the file again, and puts the entries. */
        IMPORTING
    }
}
