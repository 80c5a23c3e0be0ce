/**
 * Durable expiry: recorded expiries are handed to the handlers of their subscribers, and what becomes of them is noted.
 *
 * <p>Belongs here: calls of handlers, retries, dead letters. Depends on {@code internal.commit}, through which all of it is
 * written.
 *
 * <p>Internal: no part of the API, and free to change in any release.
 */
@NullMarked
package dev.ttlstore.internal.delivery;

import org.jspecify.annotations.NullMarked;
