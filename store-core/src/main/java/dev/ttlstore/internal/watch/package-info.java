/**
 * Holds the delivery of committed events: a queue in commit order, the listeners, and the bounded buffers of watches.
 * Events come in from {@code internal.commit}, in commit order. They go out to listeners before the write
 * returns, and to the readers of watches; a history keeps the last ones for watches that resume.
 *
 * <p>Internal: not part of the API, and may change in any release.
 */
@NullMarked
package dev.ttlstore.internal.watch;

import org.jspecify.annotations.NullMarked;
