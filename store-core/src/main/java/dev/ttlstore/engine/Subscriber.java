package dev.ttlstore.engine;

/**
 * A subscriber to expired entries, stored with the rows.
 *
 * @param name its name
 * @param groups the groups whose entries it gets
 */
public record Subscriber(String name, GroupRange groups) {}
