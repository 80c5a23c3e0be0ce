package dev.ttlstore;

/**
 * The space that the live entries of a namespace use, as a {@link Quota} limits it.
 *
 * @param keys the number of entries
 * @param groups the number of groups with a live entry
 * @param bytes the size of the keys (as UTF-8) and the encoded values, in bytes
 * @since 0.1
 * @see Scope#usage()
 * @see Quota
 */
public record Usage(long keys, long groups, long bytes) {}
