/**
 * Holds the counts and times of a store. Reads, commits, purges and expiries come in from the other internal packages.
 * Sums go out to {@code Store.activity()}, and single measurements to observers.
 *
 * <p>Internal: not part of the API, and may change in any release.
 */
@NullMarked
package dev.ttlstore.internal.stats;

import org.jspecify.annotations.NullMarked;
