package dev.ttlstore.export;

import java.time.Duration;

/**
 * The result of an import.
 *
 * @param created how many there was no entry for
 * @param replaced how many have replaced another entry
 * @param unchanged how many were there already, with the same value, times and expiry
 * @param kept how many were left out, because there is another entry
 * @param expired how many were left out, because they have expired
 * @param elapsed how long it took
 * @since 0.1
 * @see StoreImport
 */
public record ImportResult(long created, long replaced, long unchanged, long kept, long expired, Duration elapsed) {

    /**
     * Returns the number of entries in the file.
     *
     * @return the sum of all
     */
    public long entries() {
        return created + replaced + unchanged + kept + expired;
    }
}
