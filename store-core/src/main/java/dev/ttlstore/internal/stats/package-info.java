/**
 * The counts and times of a store.
 *
 * <p>Belongs here: meters. Depends on the API, {@code event} and {@code internal.base}.
 *
 * <p>Internal: not part of the API, and may change in any release.
 */
@NullMarked
package dev.ttlstore.internal.stats;

import org.jspecify.annotations.NullMarked;
