package dev.ttlstore.contract.model;

/**
 * What an entry is known by.
 *
 * @param group its group
 * @param key its key
 */
record Name(String group, String key) {}
