package dev.ttlstore.engine;

/**
 * How far a store has come, kept with its rows so that a restart goes on from there.
 *
 * @param sequence no sequence number above this one has been given out
 * @param time a time, in milliseconds since the epoch, that the store had reached
 */
public record StoreState(long sequence, long time) {}
