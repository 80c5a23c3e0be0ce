/**
 * The removal of expired entries: on request, at an interval, and on time for whoever listens.
 *
 * <p>Belongs here: when to purge, and how much at once. Depends on {@code internal.commit}, which does the removing.
 *
 * <p>Internal: no part of the API, and free to change in any release.
 */
@NullMarked
package dev.ttlstore.internal.purge;

import org.jspecify.annotations.NullMarked;
