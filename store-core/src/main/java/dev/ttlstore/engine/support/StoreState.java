package dev.ttlstore.engine.support;

/**
 * The state of a store, saved with its rows so that a restart continues from there.
 *
 * @param sequence the store has not used any sequence number above this one
 * @param time a time that the store has reached, in milliseconds since the epoch, as {@link SteadyClock} saves it
 */
public record StoreState(long sequence, long time) {}
