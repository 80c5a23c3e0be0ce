/**
 * The near cache: rows at hand that are as they were last committed.
 *
 * <p>Belongs here: what keeps rows in memory, and says when they may be used. Depends on the engine SPI alone.
 *
 * <p>Internal: no part of the API, and free to change in any release.
 */
@NullMarked
package dev.ttlstore.internal.cache;

import org.jspecify.annotations.NullMarked;
