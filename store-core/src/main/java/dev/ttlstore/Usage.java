package dev.ttlstore;

/**
 * What the living entries of a namespace take.
 *
 * @param keys how many they are
 * @param groups in how many groups
 * @param bytes how many bytes their keys (as UTF-8) and encoded values take together
 */
public record Usage(long keys, long groups, long bytes) {}
