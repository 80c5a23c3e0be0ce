package dev.ttlstore.engine;

/**
 * What a group takes.
 *
 * @param group the full group name
 * @param rows how many rows it has
 * @param bytes their size, as {@link Row#bytes()} tells it
 */
public record GroupUsage(String group, long rows, long bytes) {}
