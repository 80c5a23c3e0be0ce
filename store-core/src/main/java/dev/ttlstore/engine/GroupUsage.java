package dev.ttlstore.engine;

/**
 * The room that a group uses.
 *
 * @param group the full group name
 * @param rows the number of its rows
 * @param bytes their size, as {@link Row#bytes()} counts it
 * @since 0.1
 */
public record GroupUsage(String group, long rows, long bytes) {}
