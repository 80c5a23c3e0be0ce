/**
 * Classes that other internal packages share: the store's clock, deadlines, the progress of long work, the parts of a
 * full group name.
 *
 * <p>Belongs here: a class that two of the other packages need, and that knows no rows. Depends on the API alone.
 *
 * <p>Internal: not part of the API, and may change in any release.
 */
@NullMarked
package dev.ttlstore.internal.base;

import org.jspecify.annotations.NullMarked;
