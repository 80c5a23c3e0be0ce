/**
 * Classes that other internal packages share: deadlines, the progress of long work, and careful logging.
 *
 * <p>Belongs here: a class that two of the other packages need, and that knows no rows. May depend on the API, {@code
 * event}, {@code exception} and {@code engine}, but on no other internal package.
 *
 * <p>Internal: not part of the API, and may change in any release.
 */
@NullMarked
package dev.ttlstore.internal.base;

import org.jspecify.annotations.NullMarked;
