/**
 * Holds what several internal packages need and what knows no rows: futures and their completion, the memory bound of
 * waiting work, and the progress of long work. Work and outcomes come in from any of these packages. Completed futures
 * and log messages go out.
 *
 * <p>Internal: not part of the API, and may change in any release.
 */
@NullMarked
package dev.ttlstore.internal.base;

import org.jspecify.annotations.NullMarked;
