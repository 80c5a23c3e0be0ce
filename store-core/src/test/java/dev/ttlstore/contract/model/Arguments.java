package dev.ttlstore.contract.model;

import java.time.Duration;
import java.time.Instant;

/**
 * Everything that an operation may want to be told; each takes what it needs.
 *
 * @param group the name of a group
 * @param key a key
 * @param value a value
 * @param other a second value, such as the one expected to stand
 * @param ttl a ttl, perhaps one that is refused
 * @param expiresAt a time, perhaps one that has passed
 * @param move by how much to move the clock, forward
 */
public record Arguments(
        String group, String key, String value, String other, Duration ttl, Instant expiresAt, Duration move) {}
