/**
 * The near cache, whose rows are those of the last commit, or of a moment ago if other processes write too.
 *
 * <p>Belongs here: classes that keep rows in memory, and decide when they may be used. May depend on {@code engine}
 * and {@code exception} only. {@code NearCache} is the only class that needs Caffeine, so an application can leave
 * Caffeine out.
 *
 * <p>Internal: not part of the API, and may change in any release.
 */
@NullMarked
package dev.ttlstore.internal.cache;

import org.jspecify.annotations.NullMarked;
