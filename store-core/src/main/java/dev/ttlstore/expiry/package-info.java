/** Durable expiry: handlers for expired entries, their subscribers, and dead letters. */
@NullMarked
package dev.ttlstore.expiry;

import org.jspecify.annotations.NullMarked;
