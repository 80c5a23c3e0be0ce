/**
 * What the store counts and times.
 *
 * <p>Belongs here: meters. Depends on the API, {@code event} and {@code internal.base}.
 *
 * <p>Internal: no part of the API, and free to change in any release.
 */
@NullMarked
package dev.ttlstore.internal.stats;

import org.jspecify.annotations.NullMarked;
