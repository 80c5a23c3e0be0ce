/**
 * The near cache, whose rows are as of the last commit.
 *
 * <p>Belongs here: classes that keep rows in memory, and decide when they may be used. Depends on the engine SPI
 * alone.
 *
 * <p>Internal: not part of the API, and may change in any release.
 */
@NullMarked
package dev.ttlstore.internal.cache;

import org.jspecify.annotations.NullMarked;
