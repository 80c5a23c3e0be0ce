package dev.ttlstore;

import java.time.Duration;

/**
 * The result of a {@link StoreCopy}.
 *
 * @param entries the number of entries, with those that have expired and are not purged yet
 * @param retained the number of expired entries that are kept for an audit
 * @param subscribers the number of subscribers to expired entries
 * @param deliveries the number of expiries that wait for their handler, with dead letters
 * @param checksum a checksum of all of them, in hexadecimal digits, the same for the source and the target
 * @param elapsed how long it took
 * @since 0.1
 * @see StoreCopy#run()
 */
public record CopyResult(
        long entries, long retained, long subscribers, long deliveries, String checksum, Duration elapsed) {}
