/**
 * Durable expiry: delivers recorded expiries to the handlers of their subscribers, and records the outcomes.
 *
 * <p>Belongs here: calls of handlers, retries, dead letters. May depend on the API, {@code expiry}, {@code
 * exception}, {@code engine}, {@code internal.base}, and {@code internal.commit}, through which it writes everything.
 *
 * <p>Internal: not part of the API, and may change in any release.
 */
@NullMarked
package dev.ttlstore.internal.delivery;

import org.jspecify.annotations.NullMarked;
