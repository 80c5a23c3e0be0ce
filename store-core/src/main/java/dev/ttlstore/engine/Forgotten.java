package dev.ttlstore.engine;

/**
 * Retained rows whose time is over.
 *
 * @param groups the groups
 * @param until the last expiry of these rows, in milliseconds since the epoch
 */
public record Forgotten(GroupRange groups, long until) {}
