package dev.ttlstore.engine;

/**
 * A group that has retained rows.
 *
 * @param group the full group name
 * @param oldest the earliest expiry of a retained row of the group, in milliseconds since the epoch
 */
public record RetainedGroup(String group, long oldest) {}
