package dev.ttlstore.engine;

import org.jspecify.annotations.Nullable;

/**
 * What an operation has done. It may wait for its caller, so it keeps no value that nobody has asked for.
 *
 * @param applied whether its condition held, and there was a row where it needs one
 * @param found whether there was a live row
 * @param version the version of the row that it has put; that of the live row if it has changed the expiry; 0 if it has changed nothing, or
 *     deleted the row
 * @param row the live row that it has found, if it {@linkplain Operation#returning returns} that; the row that was put, if its value was
 *     computed; null otherwise
 * @since 0.1
 */
public record Outcome(
        boolean applied,
        boolean found,
        long version,
        @Nullable Row row) {}
