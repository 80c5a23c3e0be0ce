/**
 * The removal of expired entries, and of those that have reached their maximum age: on request, at an interval, and on time if there is a listener, watch or handler.
 *
 * <p>Belongs here: the decision when to purge, and how much at once. May depend on {@code internal.commit}, which
 * removes the entries, {@code internal.base}, {@code internal.stats}, the API, {@code event}, {@code exception} and
 * {@code engine}.
 *
 * <p>Internal: not part of the API, and may change in any release.
 */
@NullMarked
package dev.ttlstore.internal.purge;

import org.jspecify.annotations.NullMarked;
