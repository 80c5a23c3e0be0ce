package dev.ttlstore.engine;

/**
 * How far a store has come, as it is saved with its rows and copied with them. A store that continues from
 * here uses later sequence numbers and later times only.
 *
 * @param sequence the store has not used any sequence number above this one
 * @param time a time that the store has reached, in milliseconds since the epoch
 * @since 0.1
 */
public record HighWater(long sequence, long time) {}
