package dev.ttlstore.postgresql;

import java.util.List;
import java.util.UUID;

/**
 * What a commit sends.
 *
 * @param batch the id of the commit
 * @param rows the rows that it adds to the log, at least one for each slot that it has changed
 */
record Sent(UUID batch, List<LogRow> rows) {}
