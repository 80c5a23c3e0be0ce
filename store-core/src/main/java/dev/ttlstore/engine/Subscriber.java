package dev.ttlstore.engine;

/**
 * Who is to be told when entries expire, kept with the rows.
 *
 * @param name its name
 * @param groups the groups whose entries it is told of
 */
public record Subscriber(String name, GroupRange groups) {}
