/**
 * The delivery of a commit's events: to listeners, which are called before the write returns, and to watches, which
 * are read from a bounded buffer.
 *
 * <p>Belongs here: classes that queue, buffer and deliver events. May depend on the API, {@code event}, {@code
 * exception} and {@code internal.base}. It knows neither rows nor commits.
 *
 * <p>Internal: not part of the API, and may change in any release.
 */
@NullMarked
package dev.ttlstore.internal.watch;

import org.jspecify.annotations.NullMarked;
