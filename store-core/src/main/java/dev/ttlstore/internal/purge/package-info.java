/**
 * Holds the removal of entries whose time is over: expired ones, those of the maximum age of their group, and retained
 * ones. Requests, intervals, due times and range reads come in, and say when to purge. Range commands go out to
 * {@code internal.commit}, which removes the entries in small commits.
 *
 * <p>Internal: not part of the API, and may change in any release.
 */
@NullMarked
package dev.ttlstore.internal.purge;

import org.jspecify.annotations.NullMarked;
