/**
 * Copies a store from one engine to another.
 *
 * <p>Belongs here: the decisions of a copy: what is read, compared, written and removed, and when it counts as finished. How rows are
 * read and written is the engines' part. May depend on the API, {@code exception} and {@code engine}.
 *
 * <p>Internal: not part of the API, and may change in any release.
 */
@NullMarked
package dev.ttlstore.internal.copy;

import org.jspecify.annotations.NullMarked;
