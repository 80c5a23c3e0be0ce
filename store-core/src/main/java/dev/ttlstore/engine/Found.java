package dev.ttlstore.engine;

import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * What a commit has found that was decided by a {@linkplain Supposition#provisional provisional} supposition.
 *
 * @param changed whether the rows were such that what was decided is right, and they were changed. If not, the commit has changed nothing
 * @param rows the live rows before the change, by their names; null for one that there was not. Of a row that was changed, it has only
 *     what is needed to decide about it: the value if the commit answers with it, expects it or adds to it, the version and the
 *     creation unless the row was put. Its expiry may be another one at which it is live, unless the commit keeps it
 */
public record Found(boolean changed, Map<RowKey, @Nullable Row> rows) {}
