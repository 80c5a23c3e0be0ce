/**
 * Holds what several internal packages need: futures and their completion, the memory bound of waiting work, the
 * progress of long work, and the counts and times of a store. Work, outcomes and figures come in from any of these
 * packages. Completed futures and log messages go out, sums to {@code Store.activity()}, and single measurements to
 * observers.
 *
 * <p>Internal: not part of the API, and may change in any release.
 */
@NullMarked
package dev.ttlstore.internal.base;

import org.jspecify.annotations.NullMarked;
