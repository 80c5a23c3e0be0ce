/**
 * The removal of expired entries: on request, at an interval, and on time if there is a listener, watch or handler.
 *
 * <p>Belongs here: the decision when to purge, and how much at once. Depends on {@code internal.commit}, which removes
 * the entries.
 *
 * <p>Internal: not part of the API, and may change in any release.
 */
@NullMarked
package dev.ttlstore.internal.purge;

import org.jspecify.annotations.NullMarked;
