/**
 * Holds the near cache: the rows that are read most, and the decision when a reader may use them. Rows come in from
 * reads of the engine; commits and other processes announce which rows change. Rows of the last commit go out, or of a
 * moment ago if other processes write too; {@code NearCache} alone needs Caffeine.
 *
 * <p>Internal: not part of the API, and may change in any release.
 */
@NullMarked
package dev.ttlstore.internal.cache;

import org.jspecify.annotations.NullMarked;
