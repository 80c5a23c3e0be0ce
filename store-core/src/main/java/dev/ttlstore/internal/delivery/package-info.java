/**
 * Holds durable expiry at work: claims, calls of handlers, retries, dead letters, and the backlog of missing handlers.
 * Recorded expiries come in from the engine, and handlers from subscribers. Calls go out to the handlers, and their
 * outcomes through {@code internal.commit} to the engine.
 *
 * <p>Internal: not part of the API, and may change in any release.
 */
@NullMarked
package dev.ttlstore.internal.delivery;

import org.jspecify.annotations.NullMarked;
