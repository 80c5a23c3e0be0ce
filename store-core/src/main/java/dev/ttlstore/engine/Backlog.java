package dev.ttlstore.engine;

/**
 * Figures about a subscriber's deliveries.
 *
 * @param pending how many deliveries wait for an attempt
 * @param oldest the earliest expiry among them, in milliseconds since the epoch; {@link Row#NEVER} if there is none
 * @param dead how many deliveries are dead letters
 */
public record Backlog(long pending, long oldest, long dead) {}
