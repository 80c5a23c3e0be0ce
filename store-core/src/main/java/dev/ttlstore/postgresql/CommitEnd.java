package dev.ttlstore.postgresql;

import java.util.List;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

/**
 * Where a commit of this node that is made stands in the log.
 *
 * @param batch its id; null if it has added nothing
 * @param own the rows that it has added
 * @param before the newest commits before it, since the places at which its slots were locked, each slot's in their order
 */
record CommitEnd(@Nullable UUID batch, List<LogRow> own, List<LogRow> before) {}
