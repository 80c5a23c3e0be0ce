package dev.ttlstore.engine;

/**
 * What there is of a subscriber's deliveries.
 *
 * @param pending how many are to be tried
 * @param oldest the earliest expiry of one of them, in milliseconds since the epoch; {@link Row#NEVER} if there is none
 * @param dead how many are dead letters
 */
public record Backlog(long pending, long oldest, long dead) {}
