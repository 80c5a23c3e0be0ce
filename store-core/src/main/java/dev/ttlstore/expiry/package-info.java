/**
 * Durable expiry: handlers for expired entries, their subscribers, and dead letters.
 *
 * <p>Belongs here: the interfaces and values of durable expiry that users see. May depend on no other package of the
 * store.
 */
@NullMarked
package dev.ttlstore.expiry;

import org.jspecify.annotations.NullMarked;
