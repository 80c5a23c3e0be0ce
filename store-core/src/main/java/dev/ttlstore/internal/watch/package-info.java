/**
 * From a commit's events to whoever follows them: listeners, which are called before the write returns, and watches, which read
 * from a bounded buffer.
 *
 * <p>Belongs here: what queues, buffers and delivers events. Depends on {@code event} and {@code internal.base}; it knows
 * neither rows nor commits.
 *
 * <p>Internal: no part of the API, and free to change in any release.
 */
@NullMarked
package dev.ttlstore.internal.watch;

import org.jspecify.annotations.NullMarked;
