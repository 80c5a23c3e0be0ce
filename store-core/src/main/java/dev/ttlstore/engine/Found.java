package dev.ttlstore.engine;

import org.jspecify.annotations.Nullable;

/**
 * What a commit has found that {@linkplain EngineTransaction#canExpect expected} a live row.
 *
 * @param changed whether the row was as expected, and was changed. If not, the commit has changed nothing
 * @param row the live row before the change; null if there was none. Of a row that was changed, it has only what is needed to
 *     decide about it: the value if the commit answers with it, expects it or adds to it, the version unless the row was put, and
 *     the creation. Its expiry may be another one at which it is live, unless the commit keeps it
 */
public record Found(boolean changed, @Nullable Row row) {}
