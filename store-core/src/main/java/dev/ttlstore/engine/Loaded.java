package dev.ttlstore.engine;

import java.util.Map;

/**
 * What a commit has loaded.
 *
 * @param rows the rows that exist, live or expired
 * @param usage the usage of the namespaces, before the writes of this commit
 */
public record Loaded(Map<RowKey, Row> rows, Map<String, NamespaceUsage> usage) {}
