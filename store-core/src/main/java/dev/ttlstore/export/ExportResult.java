package dev.ttlstore.export;

import java.time.Duration;

/**
 * The result of an export.
 *
 * @param entries the number of entries, with those of earlier runs that were continued
 * @param continued how many of them earlier runs had written
 * @param bytes the number of bytes, with those of earlier runs
 * @param elapsed how long this run took
 * @since 0.1
 * @see StoreExport
 */
public record ExportResult(long entries, long continued, long bytes, Duration elapsed) {}
