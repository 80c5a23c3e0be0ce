/**
 * The counts and times of a store.
 *
 * <p>Belongs here: meters. May depend on the API, {@code event}, {@code exception} and {@code internal.base}. It
 * knows neither rows nor commits.
 *
 * <p>Internal: not part of the API, and may change in any release.
 */
@NullMarked
package dev.ttlstore.internal.stats;

import org.jspecify.annotations.NullMarked;
