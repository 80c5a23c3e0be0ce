/**
 * Holds the way from a group to its rows: directly, within a transaction of the store, or within one of the
 * application. Keys, ranges and requests come in from groups. Rows go out, read by the engine or the near cache,
 * singly, in pages or as streams; requests go on to the commit pipeline.
 *
 * <p>Internal: not part of the API, and may change in any release.
 */
@NullMarked
package dev.ttlstore.internal.access;

import org.jspecify.annotations.NullMarked;
