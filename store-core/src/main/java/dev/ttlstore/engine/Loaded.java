package dev.ttlstore.engine;

import java.util.Map;

/**
 * What a commit has loaded.
 *
 * @param rows the rows that exist, live or expired
 * @param usage the usage of the namespaces, as the last commit left it
 */
public record Loaded(Map<RowKey, Row> rows, Map<String, NamespaceUsage> usage) {}
